import type { Page } from '@playwright/test'
import { listen } from '@/reference-service/http-server'
import { createReferenceService } from '@/reference-service/service'
import { createStore } from '@/reference-service/store'
import { ACCOUNTS, expect, expectUsable, signIn, test } from './fixtures'
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

test('before the first data every screen says why, and shows the data once the key is accepted', async ({
  page,
  allowError,
}) => {
  test.setTimeout(120_000)
  allowError(/503/)
  const source = createStore(DATA, new Map())
  const listening = await listen(createReferenceService({ source, basePath: '/v1' }), 3111)
  const { origin, stop } = await startFresh(3110, {
    LEADS_API_URL: 'http://127.0.0.1:3111/v1/',
    LEADS_API_TOKEN: TOKEN,
    NEXTAUTH_URL: 'http://localhost:3110',
    NEXTAUTH_SECRET: 'only-for-tests-0123456789-0123456789',
    DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    BOOTSTRAP_ADMIN_EMAIL: ACCOUNTS.bootstrapAdmin.email,
    BOOTSTRAP_ADMIN_PASSWORD: ACCOUNTS.bootstrapAdmin.password,
    ...HURRIED,
  })
  try {
    await signIn(page.request, 'bootstrapAdmin', origin)
    for (const path of ['/today', '/questions', '/declarations', `/contacts/${PERSON}`, '/interest']) {
      await page.goto(`${origin}${path}`)
      await expect(why(page), path).toBeInViewport()
      await expect(content(page).getByText(NEXT), path).toBeInViewport()
      await expect(content(page).getByText(/Snart är allt här/), path).toHaveCount(0)
      await expectUsable(page)
    }
    source.replace(DATA, new Map([[TOKEN, 'all']]))
    await expect(why(page)).toBeHidden({ timeout: 30_000 })
    await expect(page.getByRole('heading', { level: 1, name: /^Intresse inför/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Alla mina skolor' })).toBeEnabled()
  } finally {
    // So that the page sends no requests to a stopped server.
    await page.goto('about:blank')
    await Promise.all([stop(), listening.close()])
  }
})
