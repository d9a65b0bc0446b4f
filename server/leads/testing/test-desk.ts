import type { LeadItem } from '@/lib/api/leads'
import type { AskedQuestion, DeclarationOfInterest, LeadList, LeadRef } from '@/lib/contract/lead'
import type { LeadQuery } from '@/lib/contract/list-query'
import type { TriageChange } from '@/lib/contract/triage'
import type { Role, SchoolScope } from '@/lib/contract/user'
import type { LeadTable } from '@/lib/leads/lead-table'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { createActivityLog } from '@/server/access/activity'
import { createLeadOpenings } from '@/server/access/lead-openings'
import { createUsers } from '@/server/access/users'
import { type Admin, makeViewer, requirePermission, type Viewer } from '@/server/access/viewer'
import { createAnnouncer, type DeskEvent } from '@/server/base/announcer'
import type { DatabaseHandle } from '@/server/base/database'
import { users as usersTable } from '@/server/base/schema'
import { createSeal } from '@/server/base/seal'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { noEvents } from '@/server/base/testing/memory-events'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { createEmptyListState } from '@/server/feed/list-state'
import { testServices } from '@/server/testing/services'
import { setTriage } from '../change-triage'
import { listLeads } from '../list-leads'
import { createLeadServices } from '../services'
import { undoTriage } from '../undo-triage'

export type TestDesk = Awaited<ReturnType<typeof openTestDesk>>

const KEY = new Uint8Array(32).fill(7)

/** Opens a desk at nine on a Friday in Stockholm, by default in memory. Nothing of the database is cached. */
export async function openTestDesk(database?: Pick<DatabaseHandle, 'db' | 'close'>) {
  const { db, close } = database ?? (await openPgliteInMemory())
  const connect = async () => db
  const time = { ms: Date.UTC(2026, 10, 20, 8) }
  const now = () => time.ms
  const lists = {
    questions: listState(leadTableOf('asked-question', [])),
    declarations: listState(leadTableOf('declaration-of-interest', [])),
  }
  const events: DeskEvent[] = []
  const announcer = createAnnouncer({ events: noEvents, schedule: (_, run) => run() })
  announcer.registerBrowsers((event) => events.push(event))
  const lower = testServices({
    connect,
    now,
    onUnreachable: failWhenUnreachable,
    cacheTtlMs: () => 0,
    seal: createSeal([KEY]),
    dataKeys: [KEY],
    events: noEvents,
    announcer,
    activity: createActivityLog({ connect, now }),
    leadOpenings: createLeadOpenings(testServices({ connect, now, logger: { warn: failWhenUnreachable } })),
    users: createUsers({ connect, now, isDemo: false }),
    client: null,
    fetchEvents: { subscribe: () => {} },
    feed: {
      markWatched: () => {},
      waitForLists: async () => {},
      askedQuestions: () => lists.questions,
      declarations: () => lists.declarations,
      highSchools: () => createEmptyListState(),
    },
  })
  const parts = testServices({ ...lower, ...createLeadServices(lower) })
  return {
    parts,
    time,
    events,
    db,
    close,
    setQuestions: (leads: AskedQuestion[]) => void (lists.questions = listState(leadTableOf('asked-question', leads))),
    setDeclarations: (leads: DeclarationOfInterest[]) =>
      void (lists.declarations = listState(leadTableOf('declaration-of-interest', leads))),
    getContactId: (lead: AskedQuestion | DeclarationOfInterest) =>
      parts.contactIds.createId('user' in lead ? 'declaration-of-interest' : 'asked-question', lead),
    /** Returns the first fifty leads of a list, as this viewer gets them. */
    listItems: async (viewer: Viewer, list: LeadList, query: Partial<LeadQuery> = {}): Promise<LeadItem[]> => {
      const reader = requirePermission(viewer, 'leads:read')
      const page = await listLeads(parts, reader, list, { offset: 0, limit: 50, ...query })
      return 'askedQuestions' in page ? page.askedQuestions : page.declarationsOfInterest
    },
    decide: (viewer: Viewer, leads: LeadRef[], change: Omit<TriageChange, 'leads' | 'matching'>) =>
      setTriage(parts, requirePermission(viewer, 'leads:triage'), { leads, ...change }),
    undo: (viewer: Viewer, undo: string | null) =>
      undoTriage(parts, requirePermission(viewer, 'leads:triage'), { undo: undo ?? '' }),
    /** Adds a user. The compiler lets this viewer call every verb, whatever the role allows. */
    addPerson: async (id: string, role: Role, schools: SchoolScope): Promise<Admin> => {
      const person = { id, name: id, email: `${id}@skola.example`, role, schools }
      await db.insert(usersTable).values({ ...person, createdAt: new Date(now()) })
      return makeViewer(person) as Admin
    },
  }
}

function listState(table: LeadTable) {
  return { ...createEmptyListState(), content: { table }, version: 1, fetchedAt: Date.UTC(2026, 10, 20, 7) }
}
