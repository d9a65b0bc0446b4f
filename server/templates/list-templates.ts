import 'server-only'
import { asc } from 'drizzle-orm'
import type { TemplatesAnswer } from '@/lib/contract/reply-template'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { replyTemplates } from '@/server/db/schema'
import { services } from '@/server/services'
import { toTemplate } from './to-template'

/** All reply templates, Swedish first, by name. */
export async function listTemplates(viewer: Viewer): Promise<TemplatesAnswer> {
  requirePermission(viewer, 'leads:read')
  const db = await services().connect()
  const rows = await db.select().from(replyTemplates).orderBy(asc(replyTemplates.id))
  const byName = new Intl.Collator('sv').compare
  const templates = rows.map(toTemplate).sort((a, b) => rank(a.language) - rank(b.language) || byName(a.name, b.name))
  return { templates }
}

const rank = (language: 'sv' | 'en') => (language === 'sv' ? 0 : 1)
