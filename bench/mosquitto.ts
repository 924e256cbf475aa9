import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../test/setup/free-port.js';
import { pinned } from './processes.js';

/** A Mosquitto that accepts every client. */
export interface Mosquitto {
  pid: number;
  port: number;
  stop(): Promise<void>;
}

/** Starts Mosquitto, which must be installed, on the core of servers. Like the broker, it sends small packets at once. */
export async function startMosquitto(): Promise<Mosquitto> {
  const dir = await mkdtemp(join(tmpdir(), 'fieldwright-mosquitto-'));
  const port = Number(await freePort());
  const config = join(dir, 'mosquitto.conf');
  await writeFile(
    config,
    `listener ${port} 127.0.0.1\nallow_anonymous true\nlog_type none\nset_tcp_nodelay true\n`,
  );
  const program = ['/usr/sbin/mosquitto', '-c', config];
  const [command, ...args] = pinned ? ['taskset', '-c', '0', ...program] : program;
  const child = spawn(command!, args, { stdio: 'ignore' });
  await once(child, 'spawn').catch(() => {
    throw new Error('Mosquitto is not installed');
  });
  while (child.exitCode === null && !(await listens(port))) await delay(50);
  if (child.exitCode !== null) throw new Error(`Mosquitto ended with ${child.exitCode}`);
  return {
    pid: child.pid!,
    port,
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      await rm(dir, { recursive: true });
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
