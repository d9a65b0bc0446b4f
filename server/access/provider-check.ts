import 'server-only'
import type { Agent } from 'node:http'
import type { Duplex } from 'node:stream'
import type { JSONWebKeySet } from 'jose'
import type { SignOnCause, SignOnReport } from '@/lib/contract/single-sign-on'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'
import { TimeOutError } from '@/server/upstream/deadline'
import { agentTo, DIRECT, type ProxySettings } from '@/server/upstream/proxy'
import type { Transport } from '@/server/upstream/transport'
import { type Discovered, discover, type ProviderMetadata } from './oidc-discovery'
import { CAUSE_WORDS, failureCode, type SignOnError, signOnErrorOf } from './oidc-failure'

type Parts = {
  oidc: NonNullable<Env['oidc']>
  transport: Transport
  /** Of what next-auth sends; the transport knows its own. */
  proxy?: ProxySettings
  now: () => number
  logger: Pick<Logger, 'info' | 'warn'>
  /** For one request as a whole; next-auth would give up after 3.5 s of silence, and never if something drips. */
  timeoutMs?: number
}
export type ProviderCheck = ReturnType<typeof createProviderCheck>

/** What was found is asked for anew at the fifth look, a minute each; what fails, at each. */
const HOLDS_MS = 4.5 * 60_000
/** What was found is good for sign-ins as long as this; then it is asked for anew first. */
const GOOD_FOR_MS = 10 * 60_000
/** However many try to sign in meanwhile, a provider that fails is asked at most this often. */
const PAUSE_MS = 5_000
/** Tokens of a provider whose clock differs by more are refused sooner or later. */
const CLOCK_WARNING_MS = 10_000

/** What is known of the provider. */
type State = {
  found: (Discovered & { at: number }) | null
  problem: { error: SignOnError; since: number; at: number } | null
  lastSignInAt: number | null
  lastFailure: SignOnReport['lastFailure']
}

/** The provider, asked at the start, every few minutes, each minute while it fails, and before a sign-in when what is known is old. */
export function createProviderCheck(parts: Parts) {
  const { oidc, now, logger, proxy = DIRECT, timeoutMs = 10_000 } = parts
  const state: State = { found: null, problem: null, lastSignInAt: null, lastFailure: null }
  let underWay: Promise<void> | null = null
  /** Whoever comes while it is under way waits for the same. */
  const askOnce = () => (underWay ??= ask(parts, timeoutMs, state).finally(() => (underWay = null)))
  return {
    /** What holds for every other request to it, too. */
    limits: { timeoutMs, agent: agentFor(agentTo(oidc.issuer, proxy), timeoutMs) },
    /** Looks after it, once a minute. */
    async look(): Promise<void> {
      if (state.problem || !state.found || now() - state.found.at >= HOLDS_MS) await askOnce()
    },
    /** For a sign-in: what holds now, asked for if need be. Throws `SignOnError`. */
    async metadata(): Promise<ProviderMetadata> {
      const isOld = !state.found || now() - state.found.at > GOOD_FOR_MS
      if (state.problem ? now() - state.problem.at > PAUSE_MS : isOld) await askOnce()
      if (state.problem) throw state.problem.error
      if (!state.found) throw signOnErrorOf(null)
      return state.found.metadata
    },
    /** The same for its keys; `anew` where it signed by one that is not among them, a few times a minute at most. */
    async keys({ anew = false } = {}): Promise<JSONWebKeySet> {
      if (anew && state.found && now() - state.found.at > PAUSE_MS) await askOnce()
      else await this.metadata()
      return state.found?.keys ?? { keys: [] }
    },
    /** What was found last, whatever has happened since; null before the first good answer or while it fails. */
    known: (): ProviderMetadata | null => (state.problem ? null : (state.found?.metadata ?? null)),
    /** Whether it can be asked anew who somebody is, and says when it was; believed until it says otherwise. */
    canProve: (): boolean => state.found?.metadata.claims_supported.includes('auth_time') ?? true,
    /** Null while nothing is known to be wrong. */
    problem: (): SignOnCause | null => state.problem?.error.cause ?? null,
    /** A person came in. */
    succeeded: (): void => void (state.lastSignInAt = now()),
    /** A person did not: logged in words, under a code that the person is shown. `isReal`: no stranger can have made it up. */
    failed({ cause, detail }: SignOnError, isReal: boolean): string {
      const code = failureCode()
      logger.warn({ code, cause, detail, what: CAUSE_WORDS[cause] }, 'single sign-on failed')
      if (isReal) state.lastFailure = { at: new Date(now()).toISOString(), cause, code }
      return code
    },
    report: (): SignOnReport => reportOf(state, oidc),
  }
}

/** What has changed is logged, not every try. */
async function ask({ oidc, transport, now, logger }: Parts, timeoutMs: number, state: State): Promise<void> {
  try {
    const found = await discover({ transport, now, timeoutMs }, oidc.issuer)
    if (state.problem) logger.info('the provider of single sign-on answers again')
    const wasOff = isOff(state.found?.clockAheadMs ?? 0)
    Object.assign(state, { problem: null, found: { ...found, at: now() } })
    const { clockAheadMs } = found
    if (isOff(clockAheadMs) && !wasOff)
      logger.warn({ clockAheadMs }, "the clock of the provider of single sign-on differs from this machine's")
  } catch (error) {
    const failure = signOnErrorOf(error)
    const { cause, detail } = failure
    if (state.problem?.error.cause !== cause)
      logger.warn({ cause, detail, what: CAUSE_WORDS[cause] }, 'the provider of single sign-on cannot be used')
    state.problem = { error: failure, since: state.problem?.since ?? now(), at: now() }
  }
}

function isOff(clockAheadMs: number | null): boolean {
  return Math.abs(clockAheadMs ?? 0) > CLOCK_WARNING_MS
}

function reportOf({ found, problem, lastSignInAt, lastFailure }: State, { name, issuer }: Parts['oidc']): SignOnReport {
  return {
    name,
    issuer,
    checkedAt: iso(Math.max(found?.at ?? 0, problem?.at ?? 0) || null),
    problem: problem && {
      cause: problem.error.cause,
      since: new Date(problem.since).toISOString(),
      detail: problem.error.detail,
    },
    clockAheadMs: found?.clockAheadMs ?? null,
    lastSignInAt: iso(lastSignInAt),
    lastFailure,
  }
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

/** Each request has a socket of its own that ends with the time allowed: the limit of openid-client is for silence only. */
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
