import type { Page } from '@playwright/test'
import { expect, expectAccessible, open, signIn, test } from './fixtures'
import { leadPane, noteField } from './leads'
import { body, keptReplies, signOut, writeAsNewUser } from './reply-desk'

const question = (page: Page) => page.getByRole('dialog', { name: /utan att spara\?$/ })

async function writeNote(page: Page, text: string): Promise<void> {
  await leadPane(page).getByRole('button', { name: 'Anteckna' }).click()
  await noteField(page).fill(text)
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
  await writeAsNewUser(page, 3, 'Ja, gärna.')
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type())
    return dialog.dismiss()
  })
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => dialogs).toEqual(['beforeunload'])
  const empty = await context.newPage()
  await open(empty, '/today')
  await empty.getByRole('main').click()
  const closed = empty.waitForEvent('close')
  await empty.close({ runBeforeUnload: true })
  await closed
})

test('a changed form or dialog asks before it is left', { tag: '@full' }, async ({ page }) => {
  const stay = () => page.getByRole('button', { name: 'Stanna kvar' }).click()
  const goal = page.getByLabel('Svarsmål för frågor')
  const today = page.getByRole('navigation').getByRole('link', { name: 'I dag' }).first()
  await signIn(page.request, 'admin')
  await open(page, '/admin')
  await page.getByRole('navigation').getByRole('link', { name: 'Arbetssätt' }).click()
  await goal.selectOption('9')
  await today.click()
  await expect(question(page)).toContainText('Du har ändrat något här som inte är sparat.')
  await stay()
  await expect(goal).toHaveValue('9')
  await signOut(page)
  await expect(question(page)).toContainText('ett formulär')
  await stay()
  await page.evaluate(() => history.back())
  await stay()
  await expect(goal).toHaveValue('9')
  await today.click()
  await page.getByRole('button', { name: 'Lämna ändå' }).click()
  await expect(page).toHaveURL(/\/today$/)

  const dialog = page.getByRole('dialog')
  const add = page.getByRole('button', { name: 'Lägg till', exact: true })
  await open(page, '/admin/users')
  await add.click()
  await dialog.getByLabel('E-post').fill('maja@skola.test')
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog.getByLabel('E-post')).toHaveValue('maja@skola.test')
})
