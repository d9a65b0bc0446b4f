import { spawn, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/**
 * The owner of the data folder, where this process is root and they are not: they could not open what root writes. Null
 * with PostgreSQL.
 */
export function otherOwner({ DATABASE_URL, DATABASE_URL_FILE, DATA_DIR } = process.env) {
  if (process.geteuid?.() !== 0 || DATABASE_URL?.trim() || DATABASE_URL_FILE?.trim()) return null
  const { uid, gid } = statSync(DATA_DIR?.trim() || '.data', { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 }
  return uid === 0 ? null : { uid, gid }
}

/** Root may still read what only root can (capabilities(7), util-linux; the secure bit is for access(2)). */
const KEPT = '+dac_override,+dac_read_search'
const KEEP = ['--securebits', '+no_setuid_fixup', '--inh-caps', KEPT, '--ambient-caps', KEPT]

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
