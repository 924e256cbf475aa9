import type { Stats } from 'node:fs';
import { parse } from 'node:path';
import { watch } from 'chokidar';
import { textIn, type Driver } from './driver.js';
import { compileGlob } from './glob.js';

/** Events of the watcher, by the flag of the trigger that wants them. */
const EVENTS = {
  add: 'fileAdded',
  change: 'fileChanged',
  unlink: 'fileRemoved',
  addDir: 'directoryAdded',
  unlinkDir: 'directoryRemoved',
} as const;

/** Fires for changes of files and folders that match a path. Those that exist at the start are no changes. */
export const fileWatch: Driver = ({ config, fire, log }) => {
  const pattern = textIn(config, 'path');
  if (pattern === '') throw new Error('config.path is required');
  const glob = compileGlob(pattern);
  const watcher = watch(glob.base, {
    ignoreInitial: true,
    followSymlinks: false,
    alwaysStat: true,
    ignored: (path, stats) =>
      stats?.isDirectory() ? !glob.mayContain(path) : Boolean(stats) && !glob.matches(path),
  });
  watcher.on('error', (error) => log.warn(`The watch of ${pattern} failed: ${(error as Error).message}`));
  watcher.on('all', (name, path, stats) => {
    const event = EVENTS[name as keyof typeof EVENTS];
    if (!event || config[event] !== true || !glob.matches(path)) return;
    const { dir, base, ext, name: stem } = parse(path);
    fire({
      data: { event, fullPath: path, pathParts: { dir, base, ext, name: stem }, stats: statsOf(stats) },
    });
  });
  return () => watcher.close();
};

const statsOf = (stats: Stats | undefined): object =>
  stats ? { createdAt: stats.birthtime, modifiedAt: stats.mtime, size: stats.size } : {};
