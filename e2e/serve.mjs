import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const dataDir = mkdtempSync(join(tmpdir(), 'intag-e2e-'))
const mode = process.argv[2]

if (mode === 'service') {
  process.argv = [process.argv[0], 'reference-service/serve.ts', '--port', '4120', '--tier', 'M', '--seed', '7']
  await import('tsx')
  await import('../reference-service/serve.ts')
} else if (mode === 'provider') {
  await import('tsx')
  const { startTestProvider } = await import('../server/access/testing/oidc-test-provider.ts')
  await startTestProvider({
    port: 4130,
    origin: 'http://localhost:3102',
    accounts: providersAccounts(),
  })
} else {
  const settings = { demo: { PORT: '3101' }, connected: connected(), browsers: { PORT: '3105' } }
  Object.assign(process.env, { DATA_DIR: join(dataDir, 'data'), LOG_LEVEL: 'warn', DEMO_TIER: 'M-new' }, settings[mode])
  await import('../scripts/start.mjs')
}

function connected() {
  return {
    PORT: '3102',
    LEADS_API_URL: 'http://localhost:4120/v1/',
    LEADS_API_TOKEN: 'all-7',
    NEXTAUTH_URL: 'http://localhost:3102',
    NEXTAUTH_SECRET: 'only-for-tests-0123456789-0123456789',
    DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    BOOTSTRAP_ADMIN_EMAIL: 'admin@skola.example',
    BOOTSTRAP_ADMIN_PASSWORD: 'a-long-first-password',
    METRICS_TOKEN: 'metrics-for-tests',
    // Nothing listens: mails are offered here, and none arrives.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'antagning@skola.example',
    OIDC_ISSUER: 'http://127.0.0.1:4130',
    OIDC_CLIENT_ID: 'intag',
    OIDC_CLIENT_SECRET: 'secret+of/the client',
    OIDC_NAME: 'Skolkontot',
    OIDC_ROLE_MAP: 'groups:Intag-Personal=staff; groups:Intag-Rektor=manager',
    OIDC_SCHOOL_MAP: 'groups:Intag-Personal=all; groups:Intag-Rektor=all',
  }
}

/** Two with access, one without. */
function providersAccounts() {
  const account = (name, groups) => ({
    idToken: { name, email: `${name.split(' ')[0].toLowerCase()}@kommun.example`, email_verified: true },
    userinfo: { groups },
  })
  return {
    karin: account('Karin Holm', ['Intag-Personal']),
    rolf: account('Rolf Rektor', ['Intag-Rektor']),
    vera: account('Vera Vaktmästare', ['Alla']),
  }
}
