import type { Page } from '@playwright/test'
import { listen } from '@/reference-service/http-server'
import { createReferenceService } from '@/reference-service/service'
import { createStore } from '@/reference-service/store'
import { ACCOUNTS, expect, expectAccessible, expectToFit, PHONE, signIn, test } from './fixtures'
import { HURRIED, startFresh } from './own-server'

const TOKEN = 'new-token'
const DATA = {
  highSchools: [{ id: 'norra', name: 'Norra skolan' }],
  askedQuestions: [],
  declarationsOfInterest: [],
}
/** A contact id under the server's key. */
const PERSON = 'YjAcp6QRFGlzkpP5gRWioQ'
const WHY = 'Tjänsten godtar inte Intags nyckel'
const NEXT = /^Det som hör hit har inte kunnat hämtas än\. En administratör behöver se över nyckeln\. .* Nästa försök: /

const content = (page: Page) => page.locator('#content')
const why = (page: Page) => content(page).getByText(WHY, { exact: true })

type Way = (intag: { origin: string; letIn: () => void }) => Promise<void>

/** A signed-in user of an Intag at the port, over a service at the next port that refuses its key until it lets it in. */
async function beforeData(page: Page, port: number, way: Way): Promise<void> {
  test.setTimeout(120_000)
  const source = createStore(DATA, new Map([[TOKEN, { label: 'all', schools: 'all' }]]))
  const service = createReferenceService({ source, basePath: '/v1', faults: [{ kind: 'status', status: 401 }] })
  const listening = await listen(service, port + 1)
  const { origin, stop } = await startFresh(port, {
    LEADS_API_URL: `http://127.0.0.1:${port + 1}/v1/`,
    LEADS_API_TOKEN: TOKEN,
    NEXTAUTH_URL: `http://localhost:${port}`,
    NEXTAUTH_SECRET: 'only-for-tests-0123456789-0123456789',
    DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    BOOTSTRAP_ADMIN_EMAIL: ACCOUNTS.bootstrapAdmin.email,
    BOOTSTRAP_ADMIN_PASSWORD: ACCOUNTS.bootstrapAdmin.password,
    ...HURRIED,
  })
  try {
    await signIn(page.request, 'bootstrapAdmin', origin)
    await way({ origin, letIn: () => service.setFaults([]) })
  } finally {
    // So that the page sends no requests to a stopped server.
    await page.goto('about:blank')
    await Promise.all([stop(), listening.close()])
  }
}

test.beforeEach(({ allowError }) => allowError(/503/))

test('before the first data every screen says why, and stops asking', { tag: '@full' }, ({ page }) =>
  beforeData(page, 3110, async ({ origin }) => {
    let asked: string[] = []
    page.on('request', (request) => request.url().includes('/api/') && asked.push(new URL(request.url()).pathname))
    for (const path of ['/today', '/questions', '/declarations', '/interest', `/contacts/${PERSON}`]) {
      asked = []
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(`${origin}${path}`)
      await expect(why(page), path).toBeInViewport()
      await expect(content(page).getByText(NEXT), path).toBeInViewport()
      await expect(content(page).getByText(/Snart är allt här/), path).toHaveCount(0)
      await expectAccessible(page)
      await page.waitForLoadState('load')
      // Stream, status, and each count and list once.
      expect(asked.length, `${path}: ${asked.join(' ')}`).toBeLessThanOrEqual(12)
      await page.setViewportSize(PHONE.viewport)
      await expect(why(page), path).toBeInViewport()
      await expectToFit(page)
    }
  }),
)

test('a screen shows the data as soon as the service accepts the key', ({ page }) =>
  beforeData(page, 3112, async ({ origin, letIn }) => {
    await page.goto(`${origin}/interest`)
    await expect(why(page)).toBeVisible()
    letIn()
    await expect(why(page)).toBeHidden({ timeout: 30_000 })
    await expect(page.getByRole('heading', { level: 1, name: /^Intresse inför/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Alla mina skolor' })).toBeEnabled()
  }))
