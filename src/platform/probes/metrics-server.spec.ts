import { Metrics } from './metrics.js';
import { serveMetrics } from './metrics-server.js';

describe('The metrics port', () => {
  it('serves metrics and nothing else', async () => {
    const server = await serveMetrics(new Metrics(), 0, '127.0.0.1');
    try {
      const metrics = await fetch(`http://127.0.0.1:${server.port}/metrics`);
      expect(metrics.status).toBe(200);
      expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(await metrics.text()).toContain('process_cpu_seconds_total');
      expect((await fetch(`http://127.0.0.1:${server.port}/applications`)).status).toBe(404);
    } finally {
      await server.stop();
    }
  });

  it('rejects if it is in use', async () => {
    const first = await serveMetrics(new Metrics(), 0, '127.0.0.1');
    await expect(serveMetrics(new Metrics(), first.port, '127.0.0.1')).rejects.toThrow('EADDRINUSE');
    await first.stop();
  });
});
