import { waitUntil } from '../../../test/setup/until.js';
import { PeriodicTask } from './periodic-task.js';

class Batches extends PeriodicTask {
  count = 0;

  constructor() {
    super(60_000, 'A batch failed');
  }

  protected override async runBatch(): Promise<boolean> {
    return ++this.count < 3;
  }
}

/** Has no work, but knows when some is due. */
class Schedule extends PeriodicTask {
  looks = 0;

  constructor(private readonly due: Date) {
    super(60_000, 'A look failed');
  }

  protected override async runBatch(): Promise<boolean | Date> {
    this.looks++;
    return this.due;
  }
}

describe('Repeated', () => {
  it('starts one loop even if two modules provide it', async () => {
    const batches = new Batches();
    batches.onApplicationBootstrap();
    batches.onApplicationBootstrap();
    await batches.onModuleDestroy();
    expect(batches.count).toBe(1);
  });

  it('sleeps until work is due, and pauses while another process has it', async () => {
    const overdue = new Schedule(new Date(0));
    overdue.onApplicationBootstrap();
    await waitUntil(async () => overdue.looks >= 2);
    await overdue.onModuleDestroy();
    const distant = new Schedule(new Date(Date.now() + 30_000));
    distant.onApplicationBootstrap();
    await overdue.onModuleDestroy();
    expect(distant.looks).toBe(1);
    await distant.onModuleDestroy();
  });
});
