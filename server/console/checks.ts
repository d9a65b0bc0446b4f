import 'server-only'
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname } from 'node:path'
import type { Env } from '@/server/env'
import { causesOf, codeOf } from '@/server/errors'
import { inBytes } from './command'

/** What was found, and what to do unless it is ok. Holds no secret, and no address with one. */
export type Check = { what: string; state: 'ok' | 'look' | 'wrong'; says: string; todo?: string }

const finding =
  (state: Check['state']) =>
  (what: string, says: string, todo: string): Check => ({ what, state, says, todo })
export const look = finding('look')
export const wrong = finding('wrong')
export const ok = (what: string, says: string): Check => ({ what, state: 'ok', says })

export function reasonOf(error: unknown): string {
  const all = causesOf(error).flatMap((one) => [one, ...(one instanceof AggregateError ? one.errors : [])])
  const code = all.map(codeOf).find((one) => /^\w{1,50}$/.test(one))
  return code ?? (error instanceof Error ? error.name : 'unknown reason')
}

/** Sessions, codes and the provider's tokens expire within minutes. */
const CLOCKS_DIFFER_MS = 5_000

export function clockCheck(of: string, aheadMs: number): Check {
  const what = `clock of ${of}`
  const by = `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine's`
  if (Math.abs(aheadMs) < 2_000) return ok(what, 'the same as this machine’s')
  const todo = 'Keep the clocks of all machines by NTP.'
  return Math.abs(aheadMs) > CLOCKS_DIFFER_MS ? wrong(what, by, todo) : look(what, by, todo)
}

const LITTLE_BYTES = 2e9
const TOO_LITTLE_BYTES = 2e8

export function lookAtFolder({ dataDir, databaseUrl, mode }: Env): Check[] {
  const what = 'data folder'
  if (databaseUrl !== null && mode === 'connected') return [ok(what, 'not used: everything is in PostgreSQL')]
  const place = existsSync(dataDir) ? dataDir : dirname(dataDir)
  const todo = 'DATA_DIR must be a folder that the user Intag runs as may write.'
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return [wrong(what, `cannot be written (${reasonOf(error)})`, todo)]
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
    free >= LITTLE_BYTES ? ok('disk', room) : (free < TOO_LITTLE_BYTES ? wrong : look)('disk', room, full),
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
    return [look(what, `nobody answers at NEXTAUTH_URL from here (${reasonOf(error)})`, todo)]
  }
}
