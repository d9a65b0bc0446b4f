import { spawn, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/**
 * The user and group that the data folder belongs to, where this process is root and they are not: what root makes in it, they
 * could not open at the next start. Null otherwise, and with PostgreSQL, where nothing is kept in it.
 */
export function otherOwner({ DATABASE_URL, DATABASE_URL_FILE, DATA_DIR } = process.env) {
  if (process.geteuid?.() !== 0 || DATABASE_URL?.trim() || DATABASE_URL_FILE?.trim()) return null
  const { uid, gid } = statSync(DATA_DIR?.trim() || '.data', { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 }
  return uid === 0 ? null : { uid, gid }
}

/**
 * Root may go on reading what only root can, such as the place of a backup, or the folder above that of systemd's DynamicUser:
 * util-linux lets a user keep that (capabilities(7); the secure bit is for access(2), which else leaves them out).
 */
const KEPT = '+dac_override,+dac_read_search'
const KEEP = ['--securebits', '+no_setuid_fixup', '--inh-caps', KEPT, '--ambient-caps', KEPT]

/** Runs a program of Node as this user and answers how it ended. Signals are passed on to it. */
export async function runAs({ uid, gid }, args) {
  const prefix = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', ...KEEP]
  const canKeep = spawnSync('setpriv', [...prefix, process.execPath, '--version'], { stdio: 'ignore' }).status === 0
  const child = canKeep
    ? spawn('setpriv', [...prefix, process.execPath, ...args], { stdio: 'inherit' })
    : spawn(process.execPath, args, { stdio: 'inherit', uid, gid })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve((console.error(error.message), 1)))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
