import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { type Load, type LoadMove, type LoadMoves, MAX_NAMED } from '@/lib/contract/triage'
import { groupBy } from '@/lib/group-by'
import { evenOut } from '@/lib/leads/even-out'
import { selectRows } from '@/lib/leads/select-rows'
import { schoolOf } from '@/lib/leads/lead-table'
import type { Decider } from '@/server/access/viewer'
import { knownSchools, type SchoolParts } from '@/server/leads/high-schools'
import { leadTable, type SelectionParts, selectionContext } from '@/server/leads/select-leads'
import type { Services } from '@/server/services'
import { listPeople } from '@/server/users/users'

type Parts = SelectionParts & SchoolParts & Pick<Services, 'users' | 'work' | 'presence' | 'now'>

export async function getLoad(parts: Parts, viewer: Decider): Promise<Load> {
  return loadOf(parts, ...(await Promise.all([waitingLeads(parts, viewer), listPeople(parts, viewer)])))
}

type Leads = Awaited<ReturnType<typeof waitingLeads>>

function loadOf(parts: SchoolParts, leads: Leads, { people }: Awaited<ReturnType<typeof listPeople>>): Load {
  const names = new Map(knownSchools(parts).map(({ id, name }) => [id, name]))
  const numbersOf = (own: Leads = []) => ({
    waiting: own.length,
    late: own.filter(({ isLate }) => isLate).length,
  })
  const bySchool = [...groupBy(leads, ({ school }) => school)]
  const byHolder = groupBy(leads, ({ holder }) => holder)
  return {
    schools: bySchool.map(([id, own]) => ({ id, name: names.get(id) ?? id, ...numbersOf(own) })),
    people: people.map((person) => ({ ...person, ...numbersOf(byHolder.get(person.id)) })),
    unassigned: numbersOf(byHolder.get(null)),
  }
}

/** To who is not away: to staff, and to others only where they have leads already. */
export async function getLoadMoves(parts: Parts, viewer: Decider): Promise<LoadMoves> {
  const [leads, colleagues, users] = await Promise.all([
    waitingLeads(parts, viewer),
    listPeople(parts, viewer),
    parts.users.list(),
  ])
  const here = new Set(colleagues.people.flatMap(({ id, awayUntil }) => (awayUntil === undefined ? id : [])))
  const holders = new Set(leads.map(({ holder }) => holder))
  const takers = users.filter(({ id, role }) => here.has(id) && (role === 'staff' || holders.has(id)))
  const moves = evenOut(leads, takers).map(({ lead: { kind, id, holder, updatedAt }, to }): LoadMove => {
    const seen = updatedAt === null ? null : new Date(updatedAt).toISOString()
    return { kind, id, from: holder, assignee: to, updatedAt: seen }
  })
  return { ...loadOf(parts, leads, colleagues), moves: moves.slice(0, MAX_NAMED) }
}

/** The newest first: those that their holder has known the shortest. */
async function waitingLeads(parts: Parts, viewer: Decider) {
  const lists = await Promise.all(LEAD_KINDS.map((kind) => waitingOf(parts, viewer, kind)))
  return lists.flat().toSorted((a, b) => b.createdAt - a.createdAt)
}

/** Fixed are those begun with, open somewhere now, or of a protected person, whom not all may see. */
async function waitingOf(parts: Parts, viewer: Decider, kind: LeadKind) {
  const [table, context] = await Promise.all([leadTable(parts, viewer, kind), selectionContext(parts, viewer, kind)])
  return Array.from(selectRows(table, { waiting: true }, context), (row) => {
    const id = table.id[row] ?? ''
    const createdAt = table.createdAt[row] ?? 0
    const { status = 'new', attempts = [], assigneeId: holder = null, updatedAt = null } = context.triage.get(id) ?? {}
    const isBegun = status !== 'new' || attempts.length > 0 || parts.presence.peopleAt({ kind, id }).length > 0
    return {
      kind,
      id,
      school: schoolOf(table, row),
      holder,
      createdAt,
      updatedAt,
      isLate: createdAt < context.work.lateBefore,
      isFixed: isBegun || table.protection?.marks.has(row) === true,
    }
  })
}
