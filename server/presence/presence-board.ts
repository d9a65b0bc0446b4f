import 'server-only'
import type { LeadRef } from '@/lib/contract/lead'

/** That a person has a lead open in a tab, or nothing any more; `school` is the lead's. */
export type Beat = { userId: string; tab: string; lead: LeadRef | null; school: string }

export type PresenceBoard = {
  note: (beat: Beat) => void
  /** Who has the lead open; each person once. */
  peopleAt: (lead: LeadRef) => string[]
}

export type PresenceOptions = {
  now: () => number
  schedule: (delayMs: number, run: () => void) => void
  /** Somebody came to this lead or left it. */
  onChange: (lead: LeadRef, school: string) => void
}

/** A tab that is silent for so long is gone: two of its beats. */
export const HOLDS_MS = 25_000
/** More than anybody opens; keeps a script from filling the memory. */
const MOST_TABS = 50

type Tab = { lead: LeadRef; school: string; until: number }

/** Who has which lead open right now, forgotten by itself when a tab goes silent. */
export function createPresenceBoard({ now, schedule, onChange }: PresenceOptions): PresenceBoard {
  /** Each person's tabs, the one heard of longest ago first. */
  const people = new Map<string, Map<string, Tab>>()
  let isSweeping = false

  const isThere = (userId: string, lead: LeadRef) =>
    [...(people.get(userId)?.values() ?? [])].some((tab) => isSame(tab.lead, lead))

  /** Does something to a person's tabs and tells of the leads that the person came to or left by it. */
  function change(userId: string, concerned: Pick<Tab, 'lead' | 'school'>[], act: (tabs: Map<string, Tab>) => void) {
    const tabs = people.get(userId) ?? new Map<string, Tab>()
    const before = concerned.map(({ lead }) => isThere(userId, lead))
    act(tabs)
    if (tabs.size > 0) people.set(userId, tabs)
    else people.delete(userId)
    concerned.forEach(({ lead, school }, index) => {
      if (isThere(userId, lead) !== before[index]) onChange(lead, school)
    })
  }

  function sweep(): void {
    isSweeping = false
    for (const [userId, tabs] of people) {
      const gone = [...tabs].filter(([, tab]) => tab.until <= now())
      if (gone.length === 0) continue
      change(userId, distinct(gone.map(([, tab]) => tab)), (left) => gone.forEach(([tab]) => left.delete(tab)))
    }
    sweepWhenDue()
  }

  function sweepWhenDue(): void {
    if (isSweeping || people.size === 0) return
    isSweeping = true
    const next = Math.min(
      ...[...people.values()].map((tabs) => Math.min(...[...tabs.values()].map((tab) => tab.until))),
    )
    schedule(Math.max(0, next - now()), sweep)
  }

  return {
    note: ({ userId, tab, lead, school }) => {
      const old = people.get(userId)?.get(tab)
      const crowded = old === undefined && (people.get(userId)?.size ?? 0) >= MOST_TABS
      const [oldest] = crowded ? (people.get(userId) ?? []) : []
      const concerned = [old, oldest?.[1], lead && { lead, school }].filter((one) => one !== undefined && one !== null)
      change(userId, distinct(concerned), (tabs) => {
        if (oldest) tabs.delete(oldest[0])
        tabs.delete(tab)
        if (lead) tabs.set(tab, { lead, school, until: now() + HOLDS_MS })
      })
      sweepWhenDue()
    },
    peopleAt: (lead) => [...people.keys()].filter((userId) => isThere(userId, lead)),
  }
}

function isSame(a: LeadRef, b: LeadRef): boolean {
  return a.kind === b.kind && a.id === b.id
}

function distinct<T extends { lead: LeadRef }>(ones: T[]): T[] {
  return [...new Map(ones.map((one) => [`${one.lead.kind} ${one.lead.id}`, one])).values()]
}
