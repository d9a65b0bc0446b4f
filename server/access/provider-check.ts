import 'server-only'
import type { Counters } from '@/server/base/counters'
import type { Agent } from 'node:http'
import type { Duplex } from 'node:stream'
import type { JSONWebKeySet } from 'jose'
import type { SignOnCause, SignOnReport } from '@/lib/contract/feed-status'
import { z } from 'zod'
import type { Env } from '@/server/base/env'
import { iso } from '@/server/feed/list-state'
import { parsedJson, textWithin } from '@/server/base/parsed-json'
import type { Logger } from '@/server/base/logger'
import { createDeadline, TimeOutError } from '@/server/base/deadline'
import { createAgent, type Transport } from '@/server/base/transport'
import { CAUSE_TEXTS, failureCode, SignOnError, signOnErrorOf } from './oidc-failure'

type Parts = {
  oidc: NonNullable<Env['oidc']>
  transport: Transport
  now: () => number
  logger: Pick<Logger, 'info' | 'warn'>
  /** Time limit of a whole request; next-auth gives up after 3.5 s of silence, and never while data trickles in. */
  timeoutMs?: number
}
export type ProviderCheck = ReturnType<typeof createProviderCheck>

/** At one check a minute, good metadata is read again at every fifth, a failure at each. */
const TTL_MS = 4.5 * 60_000
const GOOD_FOR_MS = 10 * 60_000
/** However many try to sign in, a failing provider is called at most this often. */
const PAUSE_MS = 5_000
const CLOCK_WARNING_MS = 10_000

type State = {
  found: (Discovered & { at: number }) | null
  problem: { error: SignOnError; since: string; at: number } | null
  lastSignInAt: number | null
  lastFailure: SignOnReport['lastFailure']
}

/** Checks the provider every few minutes, each minute while it fails, and before a sign-in if the last check is old. */
export function createProviderCheck(parts: Parts) {
  const { oidc, now, logger, timeoutMs = 10_000 } = parts
  const state: State = { found: null, problem: null, lastSignInAt: null, lastFailure: null }
  let underWay: Promise<void> | null = null
  const askOnce = () => (underWay ??= ask(parts, timeoutMs, state).finally(() => (underWay = null)))
  const isOlder = (seen: { at: number } | null, ms: number) => seen !== null && now() - seen.at > ms
  return {
    limits: { timeoutMs, agent: agentFor(createAgent(new URL(oidc.issuer).protocol), timeoutMs) },
    async look(): Promise<void> {
      if (state.problem || !state.found || now() - state.found.at >= TTL_MS) await askOnce()
    },
    async metadata(): Promise<ProviderMetadata> {
      if (state.problem ? isOlder(state.problem, PAUSE_MS) : !state.found || isOlder(state.found, GOOD_FOR_MS))
        await askOnce()
      if (state.problem) throw state.problem.error
      if (!state.found) throw signOnErrorOf(null)
      return state.found.metadata
    },
    /** `refresh` after a signature by an unknown key; limited to a few times a minute. */
    async keys({ refresh = false } = {}): Promise<JSONWebKeySet> {
      if (refresh && isOlder(state.found, PAUSE_MS)) await askOnce()
      else await this.metadata()
      return state.found?.keys ?? { keys: [] }
    },
    known: (): ProviderMetadata | null => (state.problem ? null : (state.found?.metadata ?? null)),
    /** Whether the provider sends `auth_time`; assumed until its metadata says otherwise. */
    canProve: (): boolean => state.found?.metadata.claims_supported.includes('auth_time') ?? true,
    problem: (): SignOnCause | null => state.problem?.error.cause ?? null,
    succeeded: (): void => void (state.lastSignInAt = now()),
    /** Logged with the code that the user is shown. `isReal`: not forgeable by a stranger. */
    failed({ cause, detail }: SignOnError, isReal: boolean): string {
      const code = failureCode()
      logger.warn({ code, cause, detail, what: CAUSE_TEXTS[cause] }, 'single sign-on failed')
      if (isReal) state.lastFailure = { at: new Date(now()).toISOString(), cause, code }
      return code
    },
    report: (): SignOnReport => reportOf(state, oidc),
  }
}

async function ask({ oidc, transport, now, logger }: Parts, timeoutMs: number, state: State): Promise<void> {
  try {
    const found = await discover({ transport, now, timeoutMs }, oidc.issuer)
    if (state.problem) logger.info('the provider of single sign-on answers again')
    const wasOff = isOff(state.found)
    Object.assign(state, { problem: null, found: { ...found, at: now() } })
    const { clockAheadMs } = found
    if (isOff(found) && !wasOff)
      logger.warn({ clockAheadMs }, "the clock of the provider of single sign-on differs from this machine's")
  } catch (error) {
    const failure = signOnErrorOf(error)
    const { cause, detail } = failure
    if (state.problem?.error.cause !== cause)
      logger.warn({ cause, detail, what: CAUSE_TEXTS[cause] }, 'the provider of single sign-on cannot be used')
    state.problem = { error: failure, since: state.problem?.since ?? new Date(now()).toISOString(), at: now() }
  }
}

function isOff(found: Discovered | null): boolean {
  return Math.abs(found?.clockAheadMs ?? 0) > CLOCK_WARNING_MS
}

function reportOf(state: State, { name, issuer }: Parts['oidc']): SignOnReport {
  const { found, problem, lastSignInAt, lastFailure } = state
  return {
    name,
    issuer,
    checkedAt: iso(Math.max(found?.at ?? 0, problem?.at ?? 0) || null),
    problem: problem && { cause: problem.error.cause, since: problem.since, detail: problem.error.detail },
    clockAheadMs: found?.clockAheadMs ?? null,
    lastSignInAt: iso(lastSignInAt),
    lastFailure,
  }
}

/** Every request has a socket with a hard time limit: openid-client only limits silence. */
function agentFor(agent: Agent, timeoutMs: number): Agent {
  const connect = agent.createConnection.bind(agent)
  const limited = <Socket extends Duplex | null | undefined>(socket: Socket): Socket => {
    const giveUp = () => socket?.destroy(new TimeOutError(`no whole answer within ${timeoutMs} ms`))
    const timer = setTimeout(giveUp, timeoutMs).unref()
    socket?.once('close', () => clearTimeout(timer))
    return socket
  }
  agent.createConnection = (options, callback) =>
    limited(connect(options, callback && ((error, socket) => callback(error, limited(socket)))))
  return agent
}

export type ProviderMetadata = z.infer<typeof metadataSchema>
type Discovered = { metadata: ProviderMetadata; keys: JSONWebKeySet; clockAheadMs: number | null }

const address = z.string().refine((text) => URL.canParse(text) && /^https?:/.test(text))
const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  end_session_endpoint: address.optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).default(['RS256']),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  claims_supported: z.array(z.string()).default([]),
  scopes_supported: z.array(z.string()).default([]),
  prompt_values_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
})
const keysSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string(), use: z.string().optional() })) })

type Asking = { transport: Transport; now: () => number; timeoutMs: number }

/** Checks all that can be checked before the first sign-in. Throws `SignOnError`. */
export async function discover(asking: Asking, issuer: string): Promise<Discovered> {
  const { body, date } = await read(asking, `${issuer}/.well-known/openid-configuration`, 'discovery-unreadable')
  const clockAheadMs = clockAhead(date, asking.now())
  const metadata = checkedMetadata(body, issuer)
  const keys = keysSchema.safeParse((await read(asking, metadata.jwks_uri, 'keys-unreadable')).body)
  const signing = keys.data?.keys.filter(({ kty, use }) => kty !== 'oct' && use !== 'enc') ?? []
  if (signing.length === 0) throw new SignOnError('keys-unreadable', 'no key to check signatures with')
  return { metadata, keys: { keys: signing as JSONWebKeySet['keys'] }, clockAheadMs }
}

/** In ms. The header has whole seconds, rounded down. */
export function clockAhead(date: string | null, now: number): number | null {
  const ahead = Date.parse(date ?? '') - Math.floor(now / 1000) * 1000
  if (Number.isNaN(ahead)) return null
  return Math.abs(ahead) <= 1000 ? 0 : ahead
}

function checkedMetadata(body: unknown, issuer: string): ProviderMetadata {
  const parsed = metadataSchema.safeParse(body)
  if (!parsed.success) {
    const missing = [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))]
    throw new SignOnError(missing.includes('issuer') ? 'discovery-unreadable' : 'endpoint-missing', missing.join(', '))
  }
  const metadata = parsed.data
  const itself = URL.canParse(metadata.issuer) ? metadata.issuer.slice(0, 200) : 'something that is no address'
  if (metadata.issuer.includes('{tenantid}'))
    throw new SignOnError('issuer-mismatch', 'the address is for all tenants; OIDC_ISSUER must name one')
  // One of the two often has a trailing slash; tokens use the provider's spelling.
  if (metadata.issuer.replace(/\/$/, '') !== issuer)
    throw new SignOnError('issuer-mismatch', `the provider calls itself ${itself}`)
  const { protocol } = new URL(issuer)
  const unsafe = Object.entries(metadata).find(
    ([name, value]) => /_(endpoint|uri)$/.test(name) && new URL(String(value)).protocol !== protocol,
  )
  if (unsafe) throw new SignOnError('endpoint-missing', `${unsafe[0]} is not ${protocol}//`)
  return metadata
}

const MAX_BYTES = 500_000

/** With one time limit for the whole answer. Redirects are not followed. */
async function read({ transport, timeoutMs }: Asking, url: string, cause: 'discovery-unreadable' | 'keys-unreadable') {
  const deadline = createDeadline(timeoutMs)
  try {
    const headers = { accept: 'application/json' }
    const response = await deadline.orTimeOut(transport({ url, headers, signal: deadline.signal }))
    if (response.status >= 500) throw new SignOnError('provider-error', `status ${response.status}`)
    if (response.status !== 200) throw new SignOnError(cause, `status ${response.status}`)
    const tooLarge = () => new SignOnError('discovery-unreadable', 'an answer that is too large')
    const body = parsedJson(await deadline.orTimeOut(textWithin(response.body, MAX_BYTES, tooLarge)))
    if (body === null) throw new SignOnError(cause, 'the answer is not JSON')
    return { body, date: response.headers.get('date') }
  } catch (error) {
    throw signOnErrorOf(error)
  } finally {
    deadline.stop()
  }
}

/** The same check, with each sign-in counted by what came of it. */
export function countProvider(check: ProviderCheck, count: Counters['signIn']): ProviderCheck {
  return {
    ...check,
    succeeded: () => {
      count('provider', 'accepted')
      check.succeeded()
    },
    failed: (error, isReal) => {
      count('provider', error.cause)
      return check.failed(error, isReal)
    },
  }
}
