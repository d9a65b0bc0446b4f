import 'server-only'
import { resolve } from 'node:path'
import { z } from 'zod'
import { AccessMapError, parseRoleMap, parseSchoolMap } from '@/server/access/access-map'
import { lengthFault } from '@/lib/contract/password'
import { type DemoSecrets, readDemoSecrets } from '@/server/access/demo-secrets'
import { dangersOf, doubtsOf, isLoopback } from './safe-settings'
import type { ClaimRules } from '@/server/access/oidc-claims'

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
  /** Opens what was sealed before `dataKey` was changed. */
  previousDataKey: Uint8Array | null
  demoTier: Variables['DEMO_TIER']
  retentionMonths: number
  metricsToken: string | null
  port: number
  /** How many proxies of ours a request passes; each adds an address to X-Forwarded-For. */
  trustedProxies: number
  /** What is let pass, and is said in the log. */
  doubts: readonly string[]
  logLevel: Variables['LOG_LEVEL']
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
  const present: Present = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()))
  const parsed = variablesSchema.safeParse(present)
  const wrong = parsed.error?.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`) ?? []
  const dangers = dangersOf(present, Object.keys(variablesSchema.shape))
  const problems = [...missingOf(present), ...conflictsOf(present), ...new Set(wrong), ...dangers]
  if (!parsed.success || problems.length > 0) throw new SettingsError(problems)
  return { ...toEnv(parsed.data, demoSecrets), doubts: doubtsOf(present) }
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

const BYTES_OF_DATA_KEY = 32
const COUNT = /^[1-9]\d{0,8}$/
const PLAINTEXT = /^\s*(?:database|redis)(?:\s*,\s*(?:database|redis))*\s*$/
const HTTPS = 'must begin with https unless it is this machine (localhost)'

/** Every variable with its form. A message never repeats the value, which may be a secret. */
const variablesSchema = z.object({
  LEADS_API_URL: httpAddress('must be an http or https address without user, query or fragment')
    .refine(isHttpsOrLoopback, HTTPS)
    .optional(),
  LEADS_API_TOKEN: bearerToken().optional(),
  LEADS_API_PER_SECOND: count().default(10),
  LEADS_API_PER_HOUR: count().default(600),
  NEXTAUTH_URL: httpAddress('must be the http or https address people open, without a path')
    .refine((value) => ['/', '/api/auth'].includes(new URL(value).pathname), {
      error: 'must be the http or https address people open, without a path',
      when: ({ value }) => typeof value === 'string' && URL.canParse(value),
    })
    .refine(isHttpsOrLoopback, HTTPS)
    .optional(),
  NEXTAUTH_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  OIDC_ISSUER: httpAddress('must be an https address')
    .refine(isHttpsOrLoopback, HTTPS)
    .refine(isOneTenant, 'must name one tenant of Entra ID, not common, organizations or consumers')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().optional(),
  OIDC_SCOPE: z
    .string()
    .regex(/(^| )openid( |$)/, 'must contain openid')
    .default('openid email profile'),
  OIDC_TRUST_EMAIL: z.enum(['on', 'off'], 'must be on or off').default('off'),
  OIDC_ROLE_MAP: accessMap(parseRoleMap).optional(),
  OIDC_SCHOOL_MAP: accessMap(parseSchoolMap).optional(),
  BOOTSTRAP_ADMIN_EMAIL: z.email('must be an email address').optional(),
  BOOTSTRAP_ADMIN_PASSWORD: z
    .string()
    .refine((value) => lengthFault(value) !== 'too-short', 'must have at least 12 characters')
    .refine((value) => lengthFault(value) !== 'too-long', 'must have at most 200 characters')
    .optional(),
  PASSWORD_SIGN_IN: z.enum(['on', 'off'], 'must be on or off').default('on'),
  DATABASE_URL: schemeOf(['postgres:', 'postgresql:'], 'must be a postgres:// address').optional(),
  DATA_DIR: z.string().default('.data'),
  REDIS_URL: schemeOf(['redis:', 'rediss:'], 'must be a redis:// or rediss:// address').optional(),
  DATA_KEY: dataKey().optional(),
  DATA_KEY_PREVIOUS: dataKey().optional(),
  ALLOW_PLAINTEXT: z.string().regex(PLAINTEXT, 'must be a list of: database, redis').optional(),
  DEMO_TIER: z.enum(['S', 'M', 'L', 'XL', 'Stress'], 'must be one of S, M, L, XL, Stress').default('M'),
  RETENTION_MONTHS: count().default(24),
  METRICS_TOKEN: bearerToken().optional(),
  PORT: count()
    .refine((port) => port <= 65_535, 'must be a port number')
    .default(3000),
  TRUSTED_PROXIES: z
    .string()
    .regex(/^\d$/, 'must be the number of proxies in front, 0 to 9')
    .transform(Number)
    .default(0),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info'),
})

type Variables = z.infer<typeof variablesSchema>
type VariableName = keyof Variables

function count() {
  return z.string().regex(COUNT, 'must be a positive whole number').transform(Number)
}

function httpAddress(message: string) {
  return z.string().refine((value) => {
    if (!URL.canParse(value)) return false
    const { protocol, username, password, search, hash } = new URL(value)
    return /^https?:$/.test(protocol) && username + password + search + hash === ''
  }, message)
}

/** RFC 6750 allows less; what matters is that nothing can break out of the header. */
function bearerToken() {
  return z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
}

function schemeOf(protocols: string[], message: string) {
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), message)
}

function isHttpsOrLoopback(value: string): boolean {
  return !/^\s*http:/i.test(value) || isLoopback(value)
}

function dataKey() {
  return z.string().refine(isDataKey, 'must be 32 bytes in base64')
}

/** An issuer for all tenants of Entra ID is no issuer: whoever has an account anywhere could come. */
function isOneTenant(value: string): boolean {
  return !/\/(common|organizations|consumers|\{tenantid\}|%7Btenantid%7D)(\/|$)/i.test(value)
}

function accessMap<T>(parse: (text: string) => T) {
  return z.string().transform((text, context): T => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue(error instanceof AccessMapError ? error.message : 'cannot be read')
      return z.NEVER
    }
  })
}

function isDataKey(value: string): boolean {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(value) && Buffer.from(value, 'base64').length === BYTES_OF_DATA_KEY
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
    oidc: oidcOf(variables),
    bootstrapAdmin: bootstrapOf(variables),
    passwordSignIn: variables.PASSWORD_SIGN_IN === 'on',
    databaseUrl: variables.DATABASE_URL ?? null,
    dataDir,
    redisUrl: variables.REDIS_URL ?? null,
    demoTier: variables.DEMO_TIER,
    retentionMonths: variables.RETENTION_MONTHS,
    metricsToken: variables.METRICS_TOKEN ?? null,
    port: variables.PORT,
    trustedProxies: variables.TRUSTED_PROXIES,
    logLevel: variables.LOG_LEVEL,
  }
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

function bootstrapOf(variables: Variables): Env['bootstrapAdmin'] {
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = variables
  return email && password ? { email, password } : null
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
