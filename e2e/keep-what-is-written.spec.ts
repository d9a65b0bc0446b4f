import type { Page } from '@playwright/test'
import { admin, expect, expectAccessible, newUser, open, signIn, test } from './fixtures'
import { leadPane, rows } from './leads'
import { body, composer, keptReplies, openReply, signOut, writeAsNewUser, writeReply } from './reply-desk'

const noteField = (page: Page) => page.getByRole('textbox', { name: 'Skriv en anteckning' })
const question = (page: Page) => page.getByRole('dialog', { name: /utan att spara\?$/ })

async function writeNote(page: Page, text: string): Promise<void> {
  await leadPane(page).getByRole('button', { name: 'Anteckna' }).click()
  await noteField(page).fill(text)
}

/** Whether the browser asks before the tab closes or is left; it stays. */
async function asksBefore(page: Page, leave: () => Promise<unknown>): Promise<boolean> {
  let hasAsked = false
  const stay = async (dialog: { type: () => string; dismiss: () => Promise<void> }) => {
    hasAsked = dialog.type() === 'beforeunload'
    await dialog.dismiss()
  }
  page.once('dialog', stay)
  await leave()
  page.off('dialog', stay)
  return hasAsked
}

test('signing out asks about an unsaved note and an unsent reply, and staying keeps both', async ({ page }) => {
  await writeAsNewUser(page, 1, 'Ja, gärna.')
  await writeNote(page, 'Ring på måndag')
  await signOut(page)
  await expect(question(page)).toContainText('Du har en anteckning och ett svar som du inte har sparat eller skickat.')
  await expect(question(page).getByRole('button', { name: 'Stanna kvar' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(question(page)).toBeHidden()
  await expect(noteField(page)).toHaveValue('Ring på måndag')
  await expect(body(page)).toHaveValue(/Ja, gärna\./)
  await signOut(page)
  await question(page).getByRole('button', { name: 'Logga ut ändå' }).click()
  await expect(page).toHaveURL(/\/signin/)
  expect(await keptReplies(page)).toBe(0)
})

test('closing the tab asks about a text, and only then', { tag: '@full' }, async ({ page, context }) => {
  await writeAsNewUser(page, 3, '')
  const close = () => page.close({ runBeforeUnload: true })
  await noteField(page).or(body(page)).first().click()
  await page.keyboard.type('Ja, gärna.')
  const asked = page.waitForEvent('dialog')
  await close()
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  // The text is in the tab's storage, where the page that comes finds it.
  // The key alone reloads nothing in a browser without windows.
  expect(await asksBefore(page, () => page.keyboard.press('F5').then(() => page.reload()))).toBe(false)
  await expect(body(page)).toHaveValue(/Ja, gärna\./)
  await body(page).click()
  const mail = page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: 'mailto:anna@skola.test' })
    link.click()
  })
  expect(await asksBefore(page, () => mail), 'another program opens, the page stays').toBe(false)
  const empty = await context.newPage()
  await open(empty, '/today')
  await empty.getByRole('main').click()
  const closed = empty.waitForEvent('close')
  await empty.close({ runBeforeUnload: true })
  await closed
})

test('a changed form asks before it is left', { tag: '@full' }, async ({ page }) => {
  await signIn(page.request, admin)
  await open(page, '/admin')
  await page.getByRole('navigation').getByRole('link', { name: 'Arbetssätt' }).click()
  const goal = page.getByLabel('Svarsmål för frågor')
  const usual = await goal.inputValue()
  await goal.selectOption('9')
  const today = page.getByRole('navigation').getByRole('link', { name: 'I dag' }).first()
  await today.click()
  await expect(question(page)).toContainText('Du har ändrat något här som inte är sparat.')
  await page.getByRole('button', { name: 'Stanna kvar' }).click()
  await expect(goal).toHaveValue('9')
  await goal.blur()
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.getByRole('button', { name: 'Stanna kvar' }).click()
  await signOut(page)
  await expect(question(page)).toContainText('ett formulär')
  await page.getByRole('button', { name: 'Stanna kvar' }).click()
  await today.click()
  await page.getByRole('button', { name: 'Lämna ändå' }).click()
  await expect(page).toHaveURL(/\/today$/)
  await page.goBack()
  await goal.selectOption('9')
  await page.evaluate(() => history.back())
  await expect(question(page)).toBeVisible()
  await page.getByRole('button', { name: 'Stanna kvar' }).click()
  await expect(goal).toHaveValue('9')
  await goal.selectOption(usual)
  await today.click()
  await expect(page, 'nothing is left to save').toHaveURL(/\/today$/)
  await open(page, '/admin/users')
  await page.getByRole('button', { name: 'Lägg till', exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Lägg till', exact: true }).click()
  await page.getByRole('dialog').getByLabel('E-post').fill('maja@skola.test')
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog').getByLabel('E-post')).toHaveValue('maja@skola.test')
  await page.getByRole('dialog').getByRole('button', { name: 'Avbryt' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test(
  'another user in the tab neither sees nor loses what was written before',
  { tag: '@full' },
  async ({ page, context, allowError }) => {
    allowError(/401/)
    const anna = await newUser(page.request)
    const eva = await newUser(page.request)
    await signIn(page.request, anna)
    const id = await writeReply(page, 2, 'Annas svar')
    await writeNote(page, 'Annas anteckning')
    // The session is lost.
    await context.clearCookies()
    await signIn(page.request, eva)
    await open(page, `/questions?lead=${id}`)
    await openReply(page)
    await expect(body(page)).not.toHaveValue(/Annas/)
    await expect(noteField(page)).toHaveCount(0)
    await expect(rows(page).getByText('Utkast')).toHaveCount(0)
    await signOut(page)
    await expect(page).toHaveURL(/\/signin/)
    await signIn(page.request, anna)
    await open(page, `/questions?lead=${id}`)
    await expect(noteField(page)).toHaveValue('Annas anteckning')
    await expect(body(page)).toHaveValue(/Annas svar/)
    await expect(composer(page)).toBeVisible()
  },
)
