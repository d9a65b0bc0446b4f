import 'server-only'
import { and, desc, eq, isNull, max } from 'drizzle-orm'
import type { LeadRef } from '@/lib/contract/lead'
import { findMentions } from '@/lib/inbox/mentions'
import { permissionsOf, type Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import { mentions } from '@/server/db/schema'
import type { StoredUser, Users } from '@/server/users/users'

/** More than anybody means; a note is no way to call a whole school group. */
const MOST_IN_NOTE = 20

/** The ids of those whom a note names and who may read leads of its school; never its author. */
export async function mentionedIn(
  { users }: { users: Pick<Users, 'list'> },
  author: Viewer,
  school: string,
  text: string,
): Promise<string[]> {
  if (!text.includes('@')) return []
  const people = (await users.list()).filter((person) => person.id !== author.id && mayRead(person, school))
  const named = new Set(
    findMentions(
      text,
      people.map(({ name }) => name),
    ).map(({ name }) => name),
  )
  // Two of the same name are both told: which one was meant, nobody can know.
  return people
    .filter(({ name }) => named.has(name))
    .map(({ id }) => id)
    .slice(0, MOST_IN_NOTE)
}

function mayRead({ role, disabled, schools }: StoredUser, school: string): boolean {
  return !disabled && permissionsOf[role].has('leads:read') && (schools === 'all' || schools.includes(school))
}

type NoteOfLead = { id: string; kind: LeadRef['kind']; leadId: string; createdAt: Date }

/** Within the command that writes the note. Deleting the note deletes them. */
export async function writeMentions(tx: Db, { id, kind, leadId, createdAt }: NoteOfLead, people: readonly string[]) {
  if (people.length === 0) return
  await tx.insert(mentions).values(people.map((userId) => ({ noteId: id, userId, kind, leadId, at: createdAt })))
}

/** Whoever has opened a lead's notes has seen where they name them. */
export async function markMentionsSeen(db: Db, viewerId: string, { kind, id }: LeadRef, now: number): Promise<void> {
  const unseen = and(eq(mentions.userId, viewerId), isNull(mentions.seenAt))
  await db
    .update(mentions)
    .set({ seenAt: new Date(now) })
    .where(and(unseen, eq(mentions.kind, kind), eq(mentions.leadId, id)))
}

/**
 * The leads whose notes name somebody who has not opened them since, the newest first, at most a hundred. Whoever asks
 * leaves out what is gone or out of the person's reach by now.
 */
export async function unseenMentions(db: Db, viewerId: string): Promise<(LeadRef & { at: string })[]> {
  const { kind, leadId } = mentions
  const last = max(mentions.at)
  const rows = await db
    .select({ kind, id: leadId, at: last })
    .from(mentions)
    .where(and(eq(mentions.userId, viewerId), isNull(mentions.seenAt)))
    .groupBy(kind, leadId)
    .orderBy(desc(last))
    .limit(MOST_TOLD)
  return rows.map(({ at, ...lead }) => ({ ...lead, at: (at ?? new Date(0)).toISOString() }))
}

const MOST_TOLD = 100
