import { Injectable } from '@nestjs/common';
@Injectable()
export class JobsService {
  async enqueue(_t: unknown, _n: string, _p: object, _by?: object): Promise<string> {
    return 'x';
  }
}
