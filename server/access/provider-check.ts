import 'server-only'
import * as http from 'node:http'
import * as https from 'node:https'
import type { SignOnCause, SignOnReport } from '@/lib/contract/single-sign-on'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'
import { TimeOutError } from '@/server/upstream/deadline'
import type { Transport } from '@/server/upstream/transport'
import { type Discovered, discover, type ProviderMetadata } from './oidc-discovery'
import { failureCode, type SignOnError, signOnErrorOf } from './oidc-failure'

type Parts = {
  oidc: NonNullable<Env['oidc']>
  transport: Transport
  now: () => number
  schedule: (delayMs: number, run: () => void) => () => void
  logger: Pick<Logger, 'info' | 'warn'>
  /** For one request as a whole; next-auth would give up after 3.5 s of silence, and never if something drips. */
  timeoutMs?: number
}
export type ProviderCheck = ReturnType<typeof createProviderCheck>

const EVERY_MS = 5 * 60_000
/** While it fails. */
const RETRY_MS = 60_000
/** What was found is good for sign-ins as long as this; then it is asked for anew first. */
const GOOD_FOR_MS = 2 * EVERY_MS
/** However many try to sign in meanwhile, a provider that fails is asked at most this often. */
const PAUSE_MS = 5_000
/** Tokens of a provider whose clock differs by more are refused sooner or later. */
const CLOCK_WARNING_MS = 10_000

/** The provider, asked at the start, every few minutes, and before a sign-in when what is known is old. */
export function createProviderCheck({ oidc, transport, now, schedule, logger, timeoutMs = 10_000 }: Parts) {
  let known: (Discovered & { at: number }) | null = null
  let problem: { error: SignOnError; since: number; at: number } | null = null
  let underWay: Promise<void> | null = null
  let lastSignInAt: number | null = null
  let lastFailure: SignOnReport['lastFailure'] = null
  let cancel = () => {}
  let isStopped = false

  const ask = async () => {
    try {
      const found = await discover({ transport, now, timeoutMs }, oidc.issuer)
      if (problem) logger.info('the provider of single sign-on answers again')
      problem = null
      known = { ...found, at: now() }
      const { clockAheadMs } = found
      if (Math.abs(clockAheadMs ?? 0) > CLOCK_WARNING_MS)
        logger.warn({ clockAheadMs }, "the clock of the provider of single sign-on differs from this machine's")
    } catch (error) {
      const failure = signOnErrorOf(error)
      const { cause, detail } = failure
      if (problem?.error.cause !== cause)
        logger.warn({ cause, detail }, 'the provider of single sign-on cannot be used')
      problem = { error: failure, since: problem?.since ?? now(), at: now() }
    }
  }
  const askOnce = () => {
    underWay ??= ask().finally(() => {
      underWay = null
    })
    return underWay
  }
  const goOn = async () => {
    await askOnce()
    if (!isStopped) cancel = schedule(problem ? RETRY_MS : EVERY_MS, () => void goOn())
  }

  return {
    /** What holds for every other request to it, too. */
    limits: { timeoutMs, agent: agentFor(oidc.issuer, timeoutMs) },
    /** Begins to look after it; nobody waits. */
    start: (): void => void goOn(),
    stop(): void {
      isStopped = true
      cancel()
    },
    /** For a sign-in: what holds now, asked for if need be. Throws `SignOnError`. */
    async metadata(): Promise<ProviderMetadata> {
      const isOld = !known || now() - known.at > GOOD_FOR_MS
      if (problem ? now() - problem.at > PAUSE_MS : isOld) await askOnce()
      if (problem) throw problem.error
      if (!known) throw signOnErrorOf(null)
      return known.metadata
    },
    /** What was found last, whatever has happened since; null before the first good answer or while it fails. */
    known: (): ProviderMetadata | null => (problem ? null : (known?.metadata ?? null)),
    /** Null while nothing is known to be wrong. */
    problem: (): SignOnCause | null => problem?.error.cause ?? null,
    /** A person came in. */
    succeeded: (): void => void (lastSignInAt = now()),
    /** A person did not: logged in words, under a code that the person is shown. `isReal`: no stranger can have made it up. */
    failed({ cause, detail }: SignOnError, isReal: boolean): string {
      const code = failureCode()
      logger.warn({ code, cause, detail, what: WORDS[cause] }, 'single sign-on failed')
      if (isReal) lastFailure = { at: new Date(now()).toISOString(), cause, code }
      return code
    },
    report: (): SignOnReport => ({
      name: oidc.name,
      issuer: oidc.issuer,
      checkedAt: iso(Math.max(known?.at ?? 0, problem?.at ?? 0) || null),
      problem: problem && {
        cause: problem.error.cause,
        since: new Date(problem.since).toISOString(),
        detail: problem.error.detail,
      },
      clockAheadMs: known?.clockAheadMs ?? null,
      lastSignInAt: iso(lastSignInAt),
      lastFailure,
    }),
  }
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

/** Each request has a socket of its own that ends with the time allowed: the limit of openid-client is for silence only. */
function agentFor(issuer: string, timeoutMs: number): http.Agent {
  const agent = issuer.startsWith('https:') ? new https.Agent() : new http.Agent()
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback)
    const giveUp = () => socket?.destroy(new TimeOutError(`no whole answer within ${timeoutMs} ms`))
    const timer = setTimeout(giveUp, timeoutMs).unref()
    socket?.once('close', () => clearTimeout(timer))
    return socket
  }
  return agent
}

/** What the log says to whoever set it up. */
const WORDS: Readonly<Record<SignOnCause, string>> = {
  'provider-unreachable': 'the provider cannot be reached: network, name, or it is down',
  'provider-slow': 'the provider has not answered in time (10 s)',
  'provider-error': 'the provider answered with an error of its own',
  certificate:
    "the provider's certificate is not trusted: self-signed, expired, or for another name (NODE_EXTRA_CA_CERTS)",
  'discovery-unreadable': 'OIDC_ISSUER leads to no readable /.well-known/openid-configuration',
  'issuer-mismatch': 'OIDC_ISSUER is not what the provider calls itself',
  'endpoint-missing': "an address that is needed is missing or unsafe in the provider's metadata",
  'keys-unreadable': "the provider's keys cannot be read",
  'client-secret': 'OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is wrong, or the secret has expired',
  'client-refused': "the provider does not let this client ask so: look at the client's registration there",
  'redirect-uri': 'the redirect address is not registered: NEXTAUTH_URL with /api/auth/callback/oidc',
  'code-refused': 'the provider refused its own code: it was used twice, is too old, or meant for another address',
  'state-lost': 'the answer belongs to no sign-in that began in this browser: cookies lost, too late, or forged',
  'token-issuer': 'the id token is from another issuer',
  'token-audience': 'the id token is for another client',
  'token-nonce': 'the id token is for another sign-in',
  'token-signature': 'the signature of the id token is wrong',
  'token-algorithm': 'the id token is not signed by an algorithm of public keys that the provider names',
  'token-unreadable': 'the answer of the token endpoint cannot be read',
  clock: 'the id token is too old or not valid yet: compare the clocks',
  'userinfo-refused': 'the userinfo endpoint refused the access token',
  'userinfo-subject': 'userinfo and the id token are about different people',
  'access-denied': 'the person or the provider said no',
  'not-assigned': 'the person is not assigned to the application at the provider',
  'consent-missing': "an administrator's consent is missing at the provider",
  'provider-refused': 'the provider refused the sign-in',
  'email-missing': 'no e-mail in the claims: scope, claim rule, or OIDC_TRUST_EMAIL for preferred_username and upn',
  'email-unverified': 'email_verified is not true: see OIDC_TRUST_EMAIL',
  'group-overage': 'Entra ID left the groups out, there are too many: send only groups assigned to the application',
  'bound-otherwise':
    'the e-mail belongs to somebody who is bound to another subject of this provider: unbind them first',
  disabled: 'the person is disabled in Intag',
  'unknown-person': 'nobody in Intag has this e-mail',
  'nothing-mapped': 'OIDC_ROLE_MAP and OIDC_SCHOOL_MAP give this person nothing',
  'intag-unavailable': 'Intag itself could not: see the error before this line',
}
