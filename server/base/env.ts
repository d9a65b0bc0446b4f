// The build fails if code for the browser imports this file, and lint if it imports any of `server/`.
import 'server-only'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readErrorCode } from './error-codes'
import { parseMailSettings } from './mail-settings'
import { oncePerProcess } from './once-per-process'
import { findDangers, type RawSettings } from './safe-settings'
import type { DataKeys } from './seal'
import { REQUIRED_TOGETHER, SETTINGS, type Settings, settingsSchema } from './settings-schema'

export type Env = ReturnType<typeof toEnv>

/** The settings, read once. next-auth reads its address and secret from the environment, so both are set there. */
export const env = oncePerProcess('env', () => {
  const loaded = loadEnv(process.env)
  process.env.NEXTAUTH_URL = loaded.auth.url
  process.env.NEXTAUTH_SECRET = loaded.auth.secret
  return loaded
})

/** `next dev` needs `eval` and a WebSocket for its error overlay, and prints errors unchanged. */
export function isDevelopment(): boolean {
  return process.env.NODE_ENV === 'development'
}

/** Returns how a command is typed here: with npm, or with `intag` in a container and under systemd. */
export function toCommandLine(name: 'admin' | 'setup' | 'start'): string {
  if (process.env.npm_lifecycle_event === undefined) return `intag ${name}`
  return { admin: 'npm run admin --', setup: 'npm run setup --', start: 'npm start' }[name]
}

/** Names all missing and wrong settings, and never a value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  constructor(readonly problems: readonly string[]) {
    super(['Intag cannot start with these settings:', ...problems.map((problem) => `  - ${problem}`)].join('\n'))
  }
}

export function loadEnv(source: Record<string, string | undefined>, demoSecrets = ensureDemoSecrets): Env {
  const rawSettings = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()))
  const settings = readSecretFiles(rawSettings)
  const parsed = settingsSchema.safeParse(settings)
  const schemaProblems = parsed.error?.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`) ?? []
  const missingProblems = REQUIRED_TOGETHER.flatMap(({ anyOf, required }) => {
    const cause = anyOf.find((name) => settings[name] !== undefined)
    if (cause === undefined) return []
    return required
      .filter((name) => settings[name] === undefined)
      .map((name) => `${name} is missing (needed with ${cause})`)
  })
  const problems = [...missingProblems, ...new Set(schemaProblems), ...findDangers(settings, SETTINGS)]
  if (settings.PASSWORD_SIGN_IN === 'off' && settings.OIDC_ISSUER === undefined)
    problems.push('OIDC_ISSUER is missing (needed with PASSWORD_SIGN_IN=off: nobody could sign in)')
  // An operator who has a file of settings, even an empty one, wants no demo that anybody can sign in to.
  if (rawSettings.INTAG_ENV_FILE && settings.LEADS_API_URL === undefined && problems.length === 0)
    problems.push(`LEADS_API_URL is missing: a demo has no ${source.INTAG_ENV_FILE} (--env-file names another file)`)
  if (!parsed.success || problems.length > 0) throw new SettingsError(problems)
  return toEnv(parsed.data, demoSecrets)
}

/** Replaces `NAME_FILE` by the file's content. Throws at once for a file that cannot be read. */
function readSecretFiles(rawSettings: RawSettings): RawSettings {
  const settings = { ...rawSettings }
  const problems = SETTINGS.filter(({ isSecret }) => isSecret).flatMap(({ name }) => {
    const path = rawSettings[`${name}_FILE`]
    if (path === undefined) return []
    delete settings[`${name}_FILE`]
    if (rawSettings[name] !== undefined) return [`${name} and ${name}_FILE are both set: one of them is enough`]
    try {
      // `echo` and editors end a file with a line break.
      settings[name] = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '')
      return settings[name].trim() === '' ? [`${name}_FILE names a file that is empty`] : []
    } catch (error) {
      return [`${name}_FILE names a file that cannot be read (${readErrorCode(error)})`]
    }
  })
  if (problems.length > 0) throw new SettingsError(problems)
  return settings
}

function toEnv(settings: Settings, demoSecrets: typeof ensureDemoSecrets) {
  const dataDir = resolve(settings.DATA_DIR)
  const { LEADS_API_URL: url, LEADS_API_TOKEN: token, SMTP_URL: mailUrl, MAIL_FROM: mailFrom } = settings
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = settings
  const demoTier = settings.DEMO_TIER.replace('-new', '') as 'S' | 'M' | 'L' | 'XL' | 'Stress'
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings
  const [dataKey = '', ...previousKeys] = (settings.DATA_KEY ?? demoSecrets(dataDir).dataKey).split(',')
  const fromBase64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
  const dataKeys: DataKeys = [fromBase64(dataKey), ...previousKeys.map(fromBase64)]
  const upstream = url !== undefined && token !== undefined ? { url, token } : null
  return {
    mode: upstream ? ('connected' as const) : ('demo' as const),
    upstream,
    limits: { perSecond: settings.LEADS_API_PER_SECOND, perHour: settings.LEADS_API_PER_HOUR },
    auth: {
      url: new URL(settings.NEXTAUTH_URL ?? `http://localhost:${settings.PORT}`).origin,
      secret: settings.NEXTAUTH_SECRET ?? demoSecrets(dataDir).authSecret,
    },
    dataKeys,
    mail: mailUrl && mailFrom ? parseMailSettings(mailUrl, mailFrom) : null,
    oidc:
      issuer && clientId && clientSecret
        ? {
            issuer: issuer.replace(/\/$/, ''),
            clientId,
            clientSecret,
            name: settings.OIDC_NAME,
            trustEmail: settings.OIDC_TRUST_EMAIL === 'on',
            roleMap: settings.OIDC_ROLE_MAP ?? null,
            schoolMap: settings.OIDC_SCHOOL_MAP ?? null,
          }
        : null,
    bootstrapAdmin: email && password ? { email, password } : null,
    /** If false, only administrators of `npm run admin -- add-admin` use a password. */
    hasPasswordSignIn: settings.PASSWORD_SIGN_IN === 'on',
    databaseUrl: settings.DATABASE_URL ?? null,
    dataDir,
    demoTier,
    hasDemoPast: demoTier === settings.DEMO_TIER,
    retentionMonths: settings.RETENTION_MONTHS,
    metricsToken: settings.METRICS_TOKEN ?? null,
    port: settings.PORT,
    trustedProxies: settings.TRUSTED_PROXIES,
    // A stopping instance reports for this time that it is not ready. On PGlite no other could take over.
    drainSeconds: settings.DATABASE_URL === undefined ? 0 : 5,
    logLevel: settings.LOG_LEVEL,
    logFormat: process.stdout.isTTY ? ('text' as const) : ('json' as const),
  }
}

const demoSecretsSchema = z.object({ authSecret: z.string().min(32), dataKey: z.string().min(43) })
type DemoSecrets = z.infer<typeof demoSecretsSchema>

/** A demo's secrets are created in its data folder, so that its sessions survive a restart. */
export function ensureDemoSecrets(dataDir: string): DemoSecrets {
  const path = join(dataDir, 'demo-secrets.json')
  try {
    return demoSecretsSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const secrets = { authSecret: randomBytes(32).toString('base64url'), dataKey: randomBytes(32).toString('base64') }
    writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 })
    return secrets
  }
}
