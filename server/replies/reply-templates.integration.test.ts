import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Replier } from '@/server/access/viewer'
import { ForbiddenError, NotFoundError } from '@/server/base/errors'
import { replyTemplates, users } from '@/server/base/schema'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { addTemplate, changeTemplate, deleteTemplate, encryptOldTemplates, listTemplates } from './reply-templates'

const template = { language: 'sv', name: 'Hej', subject: 'Hej {firstName}', body: 'Från {school}' } as const

const desk = await openTestDesk()
const { parts } = desk
const sara = await desk.addPerson('sara', 'staff', ['norra', 'sodra'])
const omar = await desk.addPerson('omar', 'staff', ['norra'])
const anna = await desk.addPerson('anna', 'admin', 'all')
beforeEach(() => desk.db.delete(replyTemplates))
afterAll(() => desk.close())

const templatesOf = async (viewer: Replier) => (await listTemplates(parts, viewer)).templates

test('administrators publish templates, those who read leads use them', async () => {
  const { id } = await addTemplate(parts, anna, template)
  const english = { ...template, id, language: 'en', name: 'Hi' } as const
  expect(await changeTemplate(parts, anna, english)).toEqual(english)
  await addTemplate(parts, anna, template)
  expect((await templatesOf(sara)).map(({ name }) => name)).toEqual(['Hej', 'Hi'])
  for (const refused of [
    addTemplate(parts, sara, template),
    changeTemplate(parts, sara, { ...template, id }),
    deleteTemplate(parts, sara, { id }),
  ])
    await expect(refused).rejects.toThrow(ForbiddenError)
  await deleteTemplate(parts, anna, { id })
  await expect(deleteTemplate(parts, anna, { id })).rejects.toThrow(NotFoundError)
})

test('an own template is seen, changed and deleted by its owner alone, and goes with the owner', async () => {
  const { id } = await addTemplate(parts, omar, { ...template, isOwn: true })
  await changeTemplate(parts, omar, { ...template, id, body: 'Två' })
  expect(await templatesOf(omar)).toMatchObject([{ body: 'Två', isOwn: true }])
  for (const other of [sara, anna]) {
    expect(await templatesOf(other)).toEqual([])
    await expect(deleteTemplate(parts, other, { id })).rejects.toThrow(NotFoundError)
    await expect(changeTemplate(parts, other, { ...template, id })).rejects.toThrow(NotFoundError)
  }
  await deleteTemplate(parts, omar, { id })
  expect(await templatesOf(omar)).toEqual([])
  await addTemplate(parts, omar, { ...template, isOwn: true })
  await desk.db.delete(users).where(eq(users.id, 'omar'))
  expect(await desk.db.$count(replyTemplates)).toBe(0)
})

test('own templates, which may name a pupil, are sealed at rest, also those of an earlier release', async () => {
  const texts = { language: 'sv', name: 'Till Elsa', subject: 'Hej Elsa', body: 'Elsa Ek fick plats' } as const
  const { id } = await addTemplate(parts, sara, { ...texts, isOwn: true })
  await changeTemplate(parts, sara, { ...texts, id })
  const plain = { ...texts, name: 'Elsas', ownerId: 'sara', updatedAt: new Date(0) }
  await desk.db.insert(replyTemplates).values({ ...plain, id: 'of-before' })
  for (let times = 0; times < 2; times++) await encryptOldTemplates(parts)
  const stored = await desk.db.select().from(replyTemplates)
  expect(stored).toHaveLength(2)
  expect(JSON.stringify(stored)).not.toMatch(/Elsa|fick plats/)
  expect(await templatesOf(sara)).toMatchObject([{ name: 'Elsas', body: texts.body }, texts])
})
