import { once } from 'node:events';
import { optionalPackage } from '../ports/optional-package.js';
import { chunksOf, encodingOf } from './chunks.js';
import { textIn, type Driver } from './driver.js';

const REOPEN_MS = 10_000;
const PARITIES = ['none', 'even', 'odd', 'mark', 'space'] as const;

/** Fires for each message on a serial port. A port that fails, or is unplugged, is opened again. */
export const serial: Driver = async ({ config, fire, log }) => {
  const { SerialPort } = await optionalPackage('serialport', () => import('serialport'));
  const path = textIn(config, 'path');
  if (path === '') throw new Error('config.path is required');
  const encoding = encodingOf(textIn(config, 'encoding'));
  const delimiterEncoding = encodingOf(textIn(config, 'delimiterEncoding'));
  const newChunks = () =>
    chunksOf(textIn(config, 'delimiter') || '\n', delimiterEncoding, textIn(config, 'byteLength'));
  newChunks();
  const first = Buffer.from(textIn(config, 'writeOnOpen'), encodingOf(textIn(config, 'writeOnOpenEncoding')));
  const options = {
    path,
    baudRate: Number(config.baudRate ?? 9_600),
    dataBits: Number(config.dataBits ?? 8) as 5 | 6 | 7 | 8,
    stopBits: Number(config.stopBits ?? 1) as 1 | 1.5 | 2,
    parity: PARITIES.find((parity) => parity === config.parity) ?? 'none',
    rtscts: config.rtscts === true,
    autoOpen: false,
  };
  let stopped = false;
  let waiting: NodeJS.Timeout | undefined;
  let port: InstanceType<typeof SerialPort> | undefined;

  const start = (): void => {
    const opened = (port = new SerialPort(options));
    const chunks = newChunks();
    opened.on('data', (bytes: Buffer) => {
      for (const piece of chunks.add(bytes)) fire({ data: { path, serial: piece.toString(encoding) } });
    });
    opened.once('open', () => first.length > 0 && opened.write(first));
    opened.on('error', ({ message }: Error) => log.warn(`The serial port ${path} failed: ${message}`));
    opened.once('close', again);
    opened.open((error) => error && again());
  };
  const again = (): void => {
    if (!stopped) waiting = setTimeout(start, REOPEN_MS);
  };
  start();
  return async () => {
    stopped = true;
    clearTimeout(waiting);
    if (!port?.isOpen) return;
    const closed = once(port, 'close');
    port.close();
    await closed;
  };
};
