import 'server-only'
import { z } from 'zod'
import type { Env } from '@/server/env'
import { jsonResponse } from '@/server/http/responses'
import type { Seal } from '@/server/seal'
import { cookieOf, isSecure, setCookie } from './session-cookie'

/** What a passkey is to sign, and when (ms) it was made up. */
export type Challenge = { value: string; madeAt: number }
/** One who signs in, or a new key: neither can be taken for the other. */
type Purpose = 'assertion' | 'registration'

export type ChallengeParts = { env: Pick<Env, 'auth'>; seal: Seal; now: () => number }

const HOLDS_MS = 5 * 60_000
const challengeSchema = z.object({ value: z.string(), madeAt: z.number() })

/** For a browser that wants to sign in by a passkey: the same for everybody, signed in or not, and no key by name. */
export async function askPasskey(
  parts: ChallengeParts & { passkeys: { askForOne: () => Promise<{ challenge: string }> } },
): Promise<Response> {
  return challenging(parts, 'assertion', await parts.passkeys.askForOne())
}

/** What a device is asked for, with a cookie by which the browser brings the challenge back. */
export function challenging(parts: ChallengeParts, purpose: Purpose, options: { challenge: string }): Response {
  return jsonResponse(options, 200, { 'set-cookie': challengeCookie(parts, purpose, options.challenge) })
}

/** Enciphered, so that nobody makes one up. */
export function challengeCookie({ env, seal, now }: ChallengeParts, purpose: Purpose, value: string): string {
  const challenge: Challenge = { value, madeAt: now() }
  const sealed = seal.close(JSON.stringify(challenge), placeOf(purpose))
  return setCookie(env, nameOf(env), sealed, { seconds: HOLDS_MS / 1000, sameSite: 'Strict' })
}

/** The challenge that a request answers; null without one, or when it is older than five minutes. */
export function challengeOf({ env, seal, now }: ChallengeParts, purpose: Purpose, request: Request): Challenge | null {
  const cookie = cookieOf(request, nameOf(env))
  const text = cookie === '' ? null : seal.open(cookie, placeOf(purpose))
  if (text === null) return null
  const challenge = challengeSchema.parse(JSON.parse(text))
  return now() - challenge.madeAt < HOLDS_MS ? challenge : null
}

function nameOf(env: Pick<Env, 'auth'>): string {
  return `${isSecure(env) ? '__Host-' : ''}intag-passkey-challenge`
}

function placeOf(purpose: Purpose): string {
  return `passkey-challenge ${purpose}`
}
