import { ACCOUNTS, ready, DEMO, expect, fillSignIn, headers, newUser, open, signIn, test } from './fixtures'

test('a wrong password is reported, the right one leads to the wanted page', async ({ page, allowError }) => {
  allowError(/401/)
  await open(page, '/questions?status=new')
  await expect(page).toHaveURL(/\/signin/)
  // An unknown account: refused tries must not count for a real one.
  await fillSignIn(page, { email: 'nobody@demo.test', password: 'not the password' })
  await expect(page.getByRole('alert').filter({ hasText: /lösenord/i })).toBeVisible()
  await expect(page).toHaveURL(/\/signin/)
  await fillSignIn(page, ACCOUNTS.staff)
  await expect(page.getByRole('heading', { name: /^Frågor/ })).toBeVisible()
  await expect(page).toHaveURL(/\/questions\?status=new/)
})

test('a demo account signs in with one click, and out again', async ({ page }) => {
  await open(page, '/signin')
  await page.getByRole('button', { name: /^Antagningspersonal/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Sara$/ })).toBeVisible()
  await ready(page)
  await page.getByRole('button', { name: /Sara Lindqvist/ }).click()
  await page.getByRole('menuitem', { name: 'Logga ut' }).click()
  await expect(page.getByRole('heading', { name: 'Logga in' })).toBeVisible()
  await open(page, '/declarations')
  await expect(page).toHaveURL(/\/signin/)
})

test('a link that a mail program rewrote works, and its token is sent nowhere else', async ({ requestAs, page }) => {
  const data = { email: `kim.${Date.now()}@skola.example`, name: 'Kim', role: 'staff', schools: 'all' }
  const { inviteUrl } = await (await (await requestAs('admin')).post('/api/users', { headers, data })).json()
  const token: string = inviteUrl.slice(inviteUrl.indexOf('#') + 1)
  const sent: string[] = []
  page.on('request', async (request) => {
    // Of what the page gave up when it closed there is nothing to read.
    const all = await request.allHeaders().catch(() => ({}))
    sent.push(JSON.stringify([request.url(), all]))
  })
  await page.goto('/invite')
  await expect(page.getByRole('heading', { name: 'Länken är inte komplett' })).toBeVisible()
  await expect(page.getByLabel('Nytt lösenord')).toHaveCount(0)

  const opened = await page.goto(`/invite%23${token}.`)
  expect(await opened?.text(), 'the page has it from its address alone').not.toContain(token)
  await expect(page).toHaveURL(`/invite#${token}`)
  await page.getByLabel('Nytt lösenord').fill('en mening med många ord')
  await page.getByLabel('Upprepa lösenordet').fill('en mening med många ord')
  await page.getByRole('button', { name: 'Spara lösenordet' }).click()
  await expect(page.getByRole('heading', { name: 'Lösenordet är sparat' })).toBeVisible()
  await page.getByRole('link', { name: 'Till inloggningen' }).click()
  await expect(page.getByRole('heading', { name: 'Logga in' })).toBeVisible()
  expect(sent.filter((request) => request.includes(token))).toHaveLength(1)
})

test('the account lists its sessions and ends them', async ({ page, playwright, request }) => {
  const eva = await newUser(request)
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const elsewhere = await playwright.request.newContext({ baseURL: DEMO, userAgent: agent })
  await signIn(elsewhere, eva)
  await signIn(page.request, eva)
  await open(page, '/account')
  const list = page.getByRole('region', { name: 'Där du är inloggad' }).getByRole('listitem')
  await expect(list).toHaveCount(2)
  await expect(list.filter({ hasText: 'Den här' })).toContainText('Chrome')

  await page.getByRole('button', { name: 'Logga ut Firefox, Windows' }).click()
  await expect(page.getByText('Firefox, Windows är utloggad.')).toBeVisible()
  await expect(list).toHaveCount(1)
  expect((await elsewhere.get('/api/status')).status()).toBe(401)
})
