import 'server-only'
import { and, eq, ne } from 'drizzle-orm'
import { identities } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'

/** How a provider names a person: for ever, and never anybody else (OpenID Connect Core 1.0, section 5.7). */
export type Identity = { issuer: string; subject: string }
export type Identities = ReturnType<typeof createIdentities>

/** Whose each identity is. An e-mail binds it once; from then on nobody is found by e-mail. */
export function createIdentities({ connect, now }: { connect: Connect; now: () => number }) {
  return {
    /** Within a transaction: whose it is. */
    find: (tx: Db, identity: Identity): Promise<string | null> => findIdentity(tx, identity),
    /** Within a transaction: whether the person is bound to another subject of the same provider. */
    async isBoundOtherwise(tx: Db, userId: string, { issuer, subject }: Identity): Promise<boolean> {
      const { userId: whose, issuer: by, subject: named } = identities
      const found = await tx
        .select({ subject: identities.subject })
        .from(identities)
        .where(and(eq(whose, userId), eq(by, issuer), ne(named, subject)))
        .limit(1)
      return found.length > 0
    },
    /** Within a transaction: whose it is afterwards, which is somebody else's when they were quicker. */
    async bind(tx: Db, userId: string, identity: Identity): Promise<string> {
      const at = new Date(now())
      await tx
        .insert(identities)
        .values({ ...identity, userId, createdAt: at, lastUsedAt: at })
        .onConflictDoNothing()
      return (await findIdentity(tx, identity)) ?? userId
    },
    /** Within a transaction. */
    async use(tx: Db, { issuer, subject }: Identity): Promise<void> {
      await tx
        .update(identities)
        .set({ lastUsedAt: new Date(now()) })
        .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
    },
    /** Within a transaction: the next sign-in binds anew by e-mail. How many there were. */
    async unbind(tx: Db, userId: string): Promise<number> {
      return (await tx.delete(identities).where(eq(identities.userId, userId)).returning()).length
    },
    /** Everybody who is bound. */
    async boundUsers(): Promise<Set<string>> {
      const rows = await (await connect()).selectDistinct({ userId: identities.userId }).from(identities)
      return new Set(rows.map(({ userId }) => userId))
    },
  }
}

async function findIdentity(tx: Db, { issuer, subject }: Identity): Promise<string | null> {
  const [row] = await tx
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
  return row?.userId ?? null
}
