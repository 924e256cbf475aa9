import { Injectable } from '@nestjs/common';
@Injectable()
export class MailService {
  async send(_t: unknown, _m: object): Promise<void> {}
}
