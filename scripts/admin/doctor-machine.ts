import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname } from 'node:path'
import type { Env } from '@/server/env'
import { type Check, codeOf, look, ok, wrong } from './checks'
import { inBytes } from './table'

const LITTLE_BYTES = 2e9
const TOO_LITTLE_BYTES = 2e8

/** Rights and room where PGlite and the demo's secrets live; with PostgreSQL only the watchdog writes there. */
export function lookAtFolder({ dataDir, databaseUrl, mode }: Env): Check[] {
  const what = 'data folder'
  if (databaseUrl !== null && mode === 'connected')
    return [ok(what, 'only for what the watchdog notes: everything else is in PostgreSQL')]
  const place = existsSync(dataDir) ? dataDir : dirname(dataDir)
  const todo = 'DATA_DIR must be a folder that the user Intag runs as may write.'
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return [wrong(what, `cannot be written (${codeOf(error)})`, todo)]
  }
  const { bavail, bsize } = statfsSync(place)
  const free = bavail * bsize
  const room = `${inBytes(free)} free`
  const full = 'Make room: a full disk stops every change.'
  const isOpen = place === dataDir && (statSync(dataDir).mode & 0o077) !== 0
  return [
    isOpen
      ? look(what, 'open to other users of this machine', 'The next start closes it, or says why it cannot.')
      : ok(what, place === dataDir ? 'its owner’s alone' : 'the first start makes it'),
    ...(free < TOO_LITTLE_BYTES
      ? [wrong('disk', room, full)]
      : [free < LITTLE_BYTES ? look('disk', room, full) : ok('disk', room)]),
  ]
}

const NEEDED_BYTES = 1.5e9

export function lookAtMemory(): Check[] {
  const limit = process.constrainedMemory() || Infinity
  const has = Math.min(totalmem(), limit)
  const says = `${inBytes(has)}${limit < totalmem() ? ' for this container' : ''}`
  return has < NEEDED_BYTES
    ? [look('memory', says, 'Large lists need 1.5 GB: a process that gets no more is ended by the system.')]
    : [ok('memory', says)]
}

const ADDRESS_MS = 5_000

/** Only a hint: from here the address may lead elsewhere than from a browser. */
export async function lookAtAddress({ auth }: Env): Promise<Check[]> {
  const what = 'address'
  const todo = 'Only a hint: is Intag up, and does NEXTAUTH_URL lead to it from a browser?'
  try {
    const answer = await fetch(new URL('/api/health', auth.url), {
      redirect: 'manual',
      signal: AbortSignal.timeout(ADDRESS_MS),
    })
    const body = await answer.text()
    return body.includes('"live":true')
      ? [ok(what, 'NEXTAUTH_URL leads to Intag')]
      : [look(what, `something else answers at NEXTAUTH_URL (status ${answer.status})`, todo)]
  } catch (error) {
    return [look(what, `nobody answers at NEXTAUTH_URL from here (${codeOf(error)})`, todo)]
  }
}
