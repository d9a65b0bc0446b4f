import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration, question } from '@/lib/leads/testing/leads'
import { toTopicBits } from '@/lib/topics/topic-list'
import { protectedPersons } from '@/server/base/access-schema'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { getListCounts } from './list-counts'
import { listQueue } from './list-queue'
import { addView } from './saved-views'
import { createTopicIndex } from './topic-index'

const desk = await openRightsDesk()
const { parts } = desk
const anna = await desk.addPerson('anna', 'admin', 'all')
const sara = await desk.addPerson('sara', 'staff', ['norra'])
const nils = await desk.addPerson('nils', 'staff', ['norra'])
const bus = question('bus', { text: 'Går det någon buss?', email: 'elsa@example.se' })
const others = [
  question('both', { text: 'Buss till öppet hus?' }),
  question('other', { text: 'Hej?' }),
  question('far', { text: 'Får man busskort?', school: 'sodra' }),
]
beforeEach(async () => {
  await desk.db.delete(protectedPersons)
  desk.setQuestions([bus, ...others])
  desk.setDeclarations([declaration('bus', { email: 'elsa@example.se' })])
  await parts.topics.run()
})
afterAll(() => desk.close())

const list = 'asked-questions' as const
const ids = async (topic: string[], viewer = sara) =>
  (await desk.listItems(viewer, list, { topic })).map(({ id }) => id).toSorted()

describe('the filter by topic', () => {
  test('has the questions of any of the topics within scope, and those of none, in the list, a queue and a view', async () => {
    expect(await ids(['transport'])).toEqual(['both', 'bus'])
    expect(await ids(['openHouse', 'none'])).toEqual(['both', 'other'])
    expect(await ids(['unheard'])).toEqual([])
    const { leads } = await listQueue(parts, sara, 'waiting', { offset: 0, limit: 50, topic: ['transport'] })
    expect(leads.map(({ kind, id }) => `${kind} ${id}`)).toEqual(['asked-question both', 'asked-question bus'])
    const view = { list, name: 'Bussar', query: { topic: ['transport'] }, shared: false }
    expect(await addView(parts, sara, view)).toMatchObject({ count: 2 })
  })

  test('counts a question for each of its topics, with the other filters as they are', async () => {
    const counts = async (filter: object) => (await getListCounts(parts, sara, { matching: { list, ...filter } })).topic
    expect(await counts({})).toEqual({ transport: 2, openHouse: 1, none: 1 })
    expect(await counts({ topic: ['none'], q: 'buss' })).toEqual({ transport: 2, openHouse: 1 })
    expect(await counts({ list: 'declarations-of-interest' })).toEqual({})
  })

  test('discloses of nobody whose identity is hidden what they asked about', async () => {
    await desk.protect(anna, bus, ['nils'])
    expect(await ids(['transport'])).toEqual(['both'])
    expect(await ids(['transport', 'none', 'openHouse', 'schoolDay'])).toEqual(['both', 'other'])
    const { topic } = await getListCounts(parts, sara, { matching: { list } })
    expect(topic).toEqual({ transport: 1, openHouse: 1, none: 1 })
    expect(await ids(['transport'], nils)).toEqual(['both', 'bus'])
  })
})

test('the topics follow the newest questions, also of a text that changes under its id', async () => {
  let current = leadTableOf('asked-question', [bus, ...others])
  const index = createTopicIndex(() => current)
  await index.ready()
  current = leadTableOf('asked-question', [question('new'), ...others, question('bus', { text: 'Hur är maten?' })])
  const bits = index.getTopicBits(current)
  expect(bits[current.findRow('bus')]).toBe(toTopicBits(['schoolDay']))
  expect(bits[current.findRow('both')]).toBe(toTopicBits(['transport', 'openHouse']))
})
