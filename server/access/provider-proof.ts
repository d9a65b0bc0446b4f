import 'server-only'
import type { NextRequest } from 'next/server'
import { PROOF_PAGE, PROOF_PROMPT } from '@/lib/contract/headers'
import type { Env } from '@/server/env'
import type { Viewers } from './session'
import { isSecure, type Session, sessionOf } from './session-cookie'

type Parts = { env: Pick<Env, 'auth'>; viewers: Viewers }

/**
 * Whether somebody who is signed in is asked by the provider whether it is still they. The way back is known by where it
 * ends; whoever changes that in their own browser begins an ordinary sign-in.
 */
export function isProof(
  { nextUrl, cookies }: NextRequest,
  { auth }: Parts['env'],
  step: 'signin' | 'callback',
): boolean {
  if (step === 'signin') return nextUrl.searchParams.get('prompt') === PROOF_PROMPT
  const name = `${isSecure({ auth }) ? '__Secure-' : ''}next-auth.callback-url`
  return cookies.get(name)?.value === auth.url + PROOF_PAGE
}

/** The session that goes on with the proof; null when it has ended meanwhile. */
export async function sessionToProve({ env, viewers }: Parts, request: NextRequest): Promise<Session | null> {
  const session = await sessionOf(request, env)
  return session !== null && (await viewers.find(session)) !== null ? session : null
}
