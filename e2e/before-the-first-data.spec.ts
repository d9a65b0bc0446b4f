import type { Page } from '@playwright/test'
import { listen } from '@/reference-service/http-server'
import { createReferenceService } from '@/reference-service/service'
import { createStore } from '@/reference-service/store'
import { bootstrapAdmin, expect, expectAccessible, expectToFit, PHONE, signIn, test } from './fixtures'
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

const closings: (() => Promise<unknown>)[] = []

/** Intag at the port, signed in to, over a service at the next port that refuses its key. */
async function startIntag(page: Page, port: number, settings: Record<string, string> = {}) {
  test.slow()
  const source = createStore(DATA, new Map([[TOKEN, { label: 'all', schools: 'all' }]]))
  const service = createReferenceService({ source, basePath: '/v1', faults: [{ name: 'status', status: 401 }] })
  const listening = await listen(service, port + 1)
  closings.push(listening.close)
  const intag = await startFresh(port, {
    LEADS_API_URL: `http://127.0.0.1:${port + 1}/v1/`,
    LEADS_API_TOKEN: TOKEN,
    NEXTAUTH_URL: `http://localhost:${port}`,
    NEXTAUTH_SECRET: 'only-for-tests-0123456789-0123456789',
    DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    BOOTSTRAP_ADMIN_EMAIL: bootstrapAdmin.email,
    BOOTSTRAP_ADMIN_PASSWORD: bootstrapAdmin.password,
    ...settings,
  })
  closings.push(intag.stop)
  await signIn(page.request, bootstrapAdmin, intag.origin)
  return { ...intag, letsIn: () => service.setFaults([]) }
}

test.afterEach(async ({ page }) => {
  // So that the page sends no requests to a stopped server.
  await page.goto('about:blank')
  await Promise.all(closings.splice(0).map((close) => close()))
})

test.beforeEach(({ allowError }) => allowError(/503/))

const content = (page: Page) => page.locator('#content')

test('before the first data every screen says why, and stops asking', { tag: '@full' }, async ({ page }) => {
  const { origin } = await startIntag(page, 3110)
  let asked: string[] = []
  page.on('request', (request) => request.url().includes('/api/') && asked.push(new URL(request.url()).pathname))
  for (const path of ['/today', '/questions', '/declarations', '/interest', `/contacts/${PERSON}`]) {
    asked = []
    await page.goto(`${origin}${path}`)
    await expect(content(page).getByText(WHY, { exact: true }), path).toBeInViewport()
    await expect(content(page).getByText(NEXT), path).toBeInViewport()
    await expect(content(page).getByText(/Snart är allt här/), path).toHaveCount(0)
    await expectAccessible(page)
    await page.waitForLoadState('load')
    // Stream, status, and each count and list once.
    expect(asked.length, `${path}: ${asked.join(' ')}`).toBeLessThanOrEqual(12)
  }
  await page.setViewportSize(PHONE.viewport)
  for (const path of ['/today', '/questions', '/interest']) {
    await page.goto(`${origin}${path}`)
    await expect(content(page).getByText(WHY, { exact: true }), path).toBeInViewport()
    await expectToFit(page)
  }
})

test('a screen shows the data as soon as the service accepts the key', async ({ page }) => {
  const { origin, letsIn } = await startIntag(page, 3112, HURRIED)
  await page.goto(`${origin}/interest`)
  await expect(content(page).getByText(WHY, { exact: true })).toBeVisible()
  letsIn()
  await expect(content(page).getByText(WHY, { exact: true })).toBeHidden({ timeout: 30_000 })
  await expect(page.getByRole('heading', { level: 1, name: /^Intresse inför/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Alla mina skolor' })).toBeEnabled()
})
