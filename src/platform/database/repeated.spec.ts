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

describe('Repeated', () => {
  it('starts one loop even if two modules provide it', async () => {
    const batches = new Batches();
    batches.onApplicationBootstrap();
    batches.onApplicationBootstrap();
    await batches.onModuleDestroy();
    expect(batches.count).toBe(1);
  });
});
