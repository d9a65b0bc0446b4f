import 'server-only'
import type { AskedQuestion, DeclarationOfInterest, LeadList, LeadRef } from '@/lib/contract/lead'
import type { LeadQuery } from '@/lib/contract/list-query'
import type { TriageChange } from '@/lib/contract/triage'
import type { Role, SchoolScope } from '@/lib/contract/user'
import type { LeadTable } from '@/lib/leads/lead-table'
import { allow, makeViewer, type Viewer } from '@/server/access/viewer'
import { createActivity, createOpenings } from '@/server/access/activity'
import { setTriage } from '../change-triage'
import { createContactIds } from '../contact-id'
import { listLeads } from '../list-leads'
import { undoTriage } from '../undo-triage'
import { testServices } from '@/server/testing/services'
import type { Connect, OpenDatabase } from '@/server/base/database'
import { users as usersTable } from '@/server/base/schema'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { noEvents } from '@/server/base/testing/memory-events'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { createPresence } from '../presence'
import { createAnnouncer, type DeskEvent } from '@/server/base/announcer'
import { emptyListState, type ListState } from '@/server/feed/list-state'
import type { HighSchoolList } from '@/server/feed/list-source'
import { builtTableOf } from '@/server/feed/testing/built-table'
import { createCountCaches } from '@/server/leads/list-counts'
import { createSharedPages, createTableCache, type Item } from '@/server/leads/table-cache'
import { createTopicIndex } from '@/server/leads/topic-index'
import { createProtections } from '../protection-list'
import { createSeal } from '@/server/base/seal'
import { createWork } from '../work'
import { createVisits } from '../visits'
import { createTriageBoard } from '../triage-board'
import { createUsers } from '@/server/access/users'

export type TestDesk = Awaited<ReturnType<typeof openTestDesk>>

const KEY = new Uint8Array(32).fill(7)

/** In memory if no database is given. Nothing waits. */
export async function openTestDesk(given?: Pick<OpenDatabase, 'db' | 'close'>) {
  const database = given ?? (await openPgliteInMemory())
  const connect = async () => database.db
  const time = { ms: Date.UTC(2026, 10, 20, 8) }
  const now = () => time.ms
  const lists = {
    questions: listState(builtTableOf('asked-question', [])),
    declarations: listState(builtTableOf('declaration-of-interest', [])),
  }
  const events: DeskEvent[] = []
  const schedule = (_: number, run: () => void) => run()
  const announcer = createAnnouncer({ events: noEvents, schedule })
  announcer.publishes((event) => events.push(event))
  const own = partsOf(connect, now)
  const topics = createTopicIndex({
    current: () => lists.questions.content?.table ?? null,
    yieldTurn: async () => {},
  })
  const parts = testServices({ ...own, topics, announcer, feed: feedOf(lists) })
  return {
    parts,
    time,
    events,
    db: database.db,
    close: () => database.close(),
    setQuestions: (leads: AskedQuestion[]) => {
      lists.questions = listState(builtTableOf('asked-question', leads))
    },
    setDeclarations: (leads: DeclarationOfInterest[]) => {
      lists.declarations = listState(builtTableOf('declaration-of-interest', leads))
    },
    contactOf: (lead: AskedQuestion | DeclarationOfInterest) =>
      parts.contactIds.encrypt('user' in lead ? 'declaration-of-interest' : 'asked-question', lead),
    /** The first fifty leads of a list, as this viewer gets them. */
    items: async (viewer: Viewer, list: LeadList, query: Partial<LeadQuery> = {}): Promise<Item[]> => {
      const page = await listLeads(parts, allow(viewer, 'leads:read'), list, { offset: 0, limit: 50, ...query })
      return 'askedQuestions' in page ? page.askedQuestions : page.declarationsOfInterest
    },
    decide: (viewer: Viewer, leads: LeadRef[], change: Omit<TriageChange, 'leads' | 'matching'>) =>
      setTriage(parts, allow(viewer, 'leads:triage'), { leads, ...change }),
    undo: (viewer: Viewer, undo: string | null | undefined, clock = parts.now) =>
      undoTriage({ ...parts, now: clock }, allow(viewer, 'leads:triage'), { undo: undo ?? '' }),
    person: async (id: string, role: Role, schools: SchoolScope): Promise<Viewer> => {
      const person = { id, name: id, email: `${id}@skola.example`, role, schools }
      await database.db.insert(usersTable).values({ ...person, createdAt: new Date(now()) })
      return makeViewer(person)
    },
  }
}

function partsOf(connect: Connect, now: () => number) {
  const activity = createActivity({ connect, now })
  const logger = { warn: ({ err }: { err?: unknown }) => failWhenUnreachable(err) }
  return {
    openings: createOpenings({ connect, now, logger }),
    connect,
    now,
    presence: createPresence(noEvents, now, () => {}),
    seal: createSeal(KEY),
    contactIds: createContactIds(KEY),
    activity,
    users: createUsers({ connect, now, demo: false }),
    triage: createTriageBoard({ connect, onUnreachable: failWhenUnreachable }),
    protections: createProtections({ connect, now, seal: createSeal(KEY), onUnreachable: failWhenUnreachable }),
    work: createWork({ connect, now, onUnreachable: failWhenUnreachable }),
    visits: createVisits({ connect, now, onUnreachable: failWhenUnreachable }),
    sharedPages: createSharedPages(),
    selectedRows: createTableCache<Uint32Array>(9),
    leadItems: createTableCache<Map<number, Item>>(9),
    ...createCountCaches(),
  }
}

function feedOf(lists: { questions: TestList; declarations: TestList }) {
  return {
    markWatched: () => {},
    ready: async () => {},
    askedQuestions: () => lists.questions,
    declarations: () => lists.declarations,
    highSchools: () => emptyListState<HighSchoolList>(),
  }
}

type TestList = ListState<{ table: LeadTable }>

function listState(table: LeadTable | null): TestList {
  const content = table && { table }
  return { ...emptyListState<{ table: LeadTable }>(), content, version: 1, fetchedAt: Date.UTC(2026, 10, 20, 7) }
}
