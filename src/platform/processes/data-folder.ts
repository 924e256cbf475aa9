import { chmod, mkdir } from 'node:fs/promises';

/**
 * Makes the folder of all that is kept, and makes it nobody else's. Where root starts the platform, the users of the private
 * servers may pass through it, and see nothing of what is in it.
 */
export async function closeDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await chmod(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch {
    // Whoever needs it next says what is wrong with it; one that belongs to somebody else is theirs to close.
  }
}
