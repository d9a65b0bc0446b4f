import 'server-only'
import { resolve } from 'node:path'
import { type DemoSecrets, readDemoSecrets } from '@/server/access/demo-secrets'
import type { ClaimRules } from '@/server/access/oidc-claims'
import { type MailSettings, mailSettings } from '@/server/desk/mail-settings'
import type { ProxySettings } from '@/server/upstream/proxy'
import { dangersOf, doubtsOf } from './safe-settings'
import { withSecretFiles } from './secret-files'
import { type VariableName, type Variables, variablesSchema } from './variables'

/** The settings of the process, as its environment variables have them. */
export type Env = {
  /** Demo exactly when LEADS_API_URL is unset. */
  mode: 'demo' | 'connected'
  upstream: { url: string; token: string } | null
  limits: { perSecond: number; perHour: number }
  /** `url` is an origin, without a trailing slash. */
  auth: { url: string; secret: string }
  oidc: ({ issuer: string; clientId: string; clientSecret: string; name: string; scope: string } & ClaimRules) | null
  bootstrapAdmin: { email: string; password: string } | null
  /** Off where everybody signs in at the provider, but for administrators whom the command line has named. */
  passwordSignIn: boolean
  databaseUrl: string | null
  dataDir: string
  redisUrl: string | null
  dataKey: Uint8Array
  /** The server that sends mail; null where people use their own mail programs. */
  mail: MailSettings | null
  /** Opens what was sealed before `dataKey` was changed. */
  previousDataKey: Uint8Array | null
  demoTier: Variables['DEMO_TIER']
  /** Whether invented colleagues have worked in the demo; else nobody has touched its leads. */
  demoPast: boolean
  retentionMonths: number
  metricsToken: string | null
  port: number
  /** What the server listens on; null for every address of the machine. */
  host: string | null
  /** What goes out goes through it. */
  proxy: ProxySettings
  /** How many proxies of ours a request passes; each adds an address to X-Forwarded-For. */
  trustedProxies: number
  /** How long the server goes on after SIGTERM, so that the balancer can look and send its requests elsewhere. */
  drainSeconds: number
  /** What is let pass, and is said in the log. */
  doubts: readonly string[]
  logLevel: Variables['LOG_LEVEL']
  logFormat: 'json' | 'text'
  /** Where OTEL_EXPORTER_OTLP_ENDPOINT names somebody who takes traces: which part of them is sent. */
  traces: { ratio: number } | null
}

/**
 * The settings of this process, read once. next-auth reads its two variables from the environment by itself,
 * so they are put there here, and nowhere else.
 */
export function env(): Env {
  const known: unknown = Reflect.get(globalThis, ENV_KEY)
  if (isEnv(known)) return known
  const loaded = loadEnv(process.env)
  process.env.NEXTAUTH_URL = loaded.auth.url
  process.env.NEXTAUTH_SECRET = loaded.auth.secret
  Reflect.set(globalThis, ENV_KEY, loaded)
  return loaded
}

const ENV_KEY = Symbol.for('intag.env')

function isEnv(value: unknown): value is Env {
  return typeof value === 'object' && value !== null && 'mode' in value && 'auth' in value
}

/** `next dev` needs `eval` for its error overlay; nothing else may differ. */
export function isDevelopment(): boolean {
  return process.env.NODE_ENV === 'development'
}

/** An empty value counts as unset, as in most shells' and containers' files of settings. */
export function loadEnv(source: Source, demoSecrets: (dataDir: string) => DemoSecrets = readDemoSecrets): Env {
  const given: Present = Object.fromEntries(
    [...Object.entries(source), ...writtenSmall(source)].filter(([, value]) => value?.trim()),
  )
  const { present, problems: unread } = withSecretFiles(given)
  // What is missing because its file could not be read would be told twice.
  if (unread.length > 0) throw new SettingsError(unread)
  const parsed = variablesSchema.safeParse(present)
  const wrong = parsed.error?.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`) ?? []
  const dangers = dangersOf(present, Object.keys(variablesSchema.shape))
  const problems = [...missingOf(present), ...conflictsOf(present), ...new Set(wrong), ...dangers]
  if (!parsed.success || problems.length > 0) throw new SettingsError(problems)
  return { ...toEnv(parsed.data, demoSecrets), doubts: doubtsOf(present) }
}

/** The proxy's variables are written both ways; where both are there, others take the small one, too. */
function writtenSmall(source: Source): [string, string | undefined][] {
  const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY']
  return names.flatMap((name) => (source[name.toLowerCase()]?.trim() ? [[name, source[name.toLowerCase()]]] : []))
}

type Source = Record<string, string | undefined>
type Present = Partial<Record<string, string>>

/** Names every missing or wrong setting at once, and never a value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  constructor(readonly problems: readonly string[]) {
    super(['Intag cannot start with these settings:', ...problems.map((problem) => `  - ${problem}`)].join('\n'))
  }
}
/** What connected mode cannot do without. */
const CONNECTED: VariableName[] = ['LEADS_API_TOKEN', 'NEXTAUTH_URL', 'NEXTAUTH_SECRET', 'DATA_KEY']
/** Variables that mean something together only. */
const SETS: { all: VariableName[]; optional: VariableName[] }[] = [
  { all: ['BOOTSTRAP_ADMIN_EMAIL', 'BOOTSTRAP_ADMIN_PASSWORD'], optional: [] },
  {
    all: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    optional: ['OIDC_NAME', 'OIDC_SCOPE', 'OIDC_TRUST_EMAIL', 'OIDC_ROLE_MAP', 'OIDC_SCHOOL_MAP'],
  },
  { all: ['SMTP_URL', 'MAIL_FROM'], optional: [] },
  { all: ['DATA_KEY'], optional: ['DATA_KEY_PREVIOUS'] },
]

function missingOf(present: Present): string[] {
  const needed = present.LEADS_API_URL === undefined ? [] : CONNECTED
  const missing = needed.filter((name) => present[name] === undefined)
  const incomplete = SETS.flatMap(({ all, optional }) => {
    const given = [...all, ...optional].find((name) => present[name] !== undefined)
    return given ? all.filter((name) => present[name] === undefined).map((name) => ({ name, given })) : []
  })
  return [
    ...missing.map((name) => `${name} is missing (needed with LEADS_API_URL)`),
    ...incomplete.map(({ name, given }) => `${name} is missing (needed with ${given})`),
  ]
}

function conflictsOf(present: Present): string[] {
  const conflicts: string[] = []
  if (present.REDIS_URL !== undefined && present.DATABASE_URL === undefined)
    conflicts.push('DATABASE_URL is missing (needed with REDIS_URL: several instances cannot share PGlite)')
  if (present.DATA_KEY_PREVIOUS !== undefined && present.DATA_KEY_PREVIOUS === present.DATA_KEY)
    conflicts.push('DATA_KEY_PREVIOUS is DATA_KEY: it must be the key before it')
  if (present.PASSWORD_SIGN_IN === 'off' && present.OIDC_ISSUER === undefined)
    conflicts.push('OIDC_ISSUER is missing (needed with PASSWORD_SIGN_IN=off: nobody could sign in)')
  return conflicts
}

function toEnv(variables: Variables, demoSecrets: (dataDir: string) => DemoSecrets): Omit<Env, 'doubts'> {
  const dataDir = resolve(variables.DATA_DIR)
  const { LEADS_API_URL: url, LEADS_API_TOKEN: token } = variables
  const upstream = url !== undefined && token !== undefined ? { url, token } : null
  return {
    mode: upstream ? 'connected' : 'demo',
    upstream,
    limits: { perSecond: variables.LEADS_API_PER_SECOND, perHour: variables.LEADS_API_PER_HOUR },
    ...secretsOf(variables, () => demoSecrets(dataDir)),
    previousDataKey: variables.DATA_KEY_PREVIOUS === undefined ? null : fromBase64(variables.DATA_KEY_PREVIOUS),
    mail: mailOf(variables),
    oidc: oidcOf(variables),
    bootstrapAdmin: bootstrapOf(variables),
    passwordSignIn: variables.PASSWORD_SIGN_IN === 'on',
    databaseUrl: variables.DATABASE_URL ?? null,
    dataDir,
    redisUrl: variables.REDIS_URL ?? null,
    demoTier: variables.DEMO_TIER,
    demoPast: variables.DEMO_PAST === 'full',
    retentionMonths: variables.RETENTION_MONTHS,
    metricsToken: variables.METRICS_TOKEN ?? null,
    port: variables.PORT,
    host: variables.HOST ?? null,
    proxy: proxyOf(variables),
    trustedProxies: variables.TRUSTED_PROXIES,
    // Alone there is nobody else to send them to.
    drainSeconds: variables.DRAIN_SECONDS ?? (variables.REDIS_URL === undefined ? 0 : 5),
    logLevel: variables.LOG_LEVEL,
    logFormat: logFormatOf(variables),
    traces: variables.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? null : { ratio: variables.OTEL_TRACES_SAMPLER_ARG },
  }
}

/** Without a word on it: text for the person who sits before it, and JSON for whoever collects it. */
function logFormatOf({ LOG_FORMAT: wanted }: Variables): Env['logFormat'] {
  if (wanted !== 'auto') return wanted
  return process.stdout.isTTY ? 'text' : 'json'
}

/** Whether even what keeps Intag from starting is wanted as JSON, though the settings themselves may be what is wrong. */
export function wantsJsonOnly(): boolean {
  return process.env.LOG_FORMAT?.trim() === 'json'
}

function secretsOf(variables: Variables, demoSecrets: () => DemoSecrets): Pick<Env, 'auth' | 'dataKey'> {
  const url = new URL(variables.NEXTAUTH_URL ?? `http://localhost:${variables.PORT}`).origin
  const { NEXTAUTH_SECRET: secret, DATA_KEY: key } = variables
  if (secret !== undefined && key !== undefined) return { auth: { url, secret }, dataKey: fromBase64(key) }
  const invented = demoSecrets()
  return { auth: { url, secret: secret ?? invented.authSecret }, dataKey: fromBase64(key ?? invented.dataKey) }
}

function oidcOf(variables: Variables): Env['oidc'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = variables
  if (!issuer || !clientId || !clientSecret) return null
  return {
    issuer: issuer.replace(/\/$/, ''),
    clientId,
    clientSecret,
    name: name ?? 'Single sign-on',
    scope: variables.OIDC_SCOPE,
    trustEmail: variables.OIDC_TRUST_EMAIL === 'on',
    roleMap: variables.OIDC_ROLE_MAP ?? null,
    schoolMap: variables.OIDC_SCHOOL_MAP ?? null,
  }
}

function mailOf({ SMTP_URL: url, MAIL_FROM: from, ALLOW_PLAINTEXT: plain = '' }: Variables): Env['mail'] {
  if (url === undefined || from === undefined) return null
  return mailSettings(url, from, { mayBePlain: plain.split(',').some((word) => word.trim() === 'mail') })
}

function proxyOf({ HTTPS_PROXY, HTTP_PROXY, NO_PROXY }: Variables): ProxySettings {
  return {
    https: HTTPS_PROXY === undefined ? null : new URL(HTTPS_PROXY),
    http: HTTP_PROXY === undefined ? null : new URL(HTTP_PROXY),
    except: NO_PROXY?.split(/[\s,]+/).filter(Boolean) ?? [],
  }
}

function bootstrapOf(variables: Variables): Env['bootstrapAdmin'] {
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = variables
  return email && password ? { email, password } : null
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
