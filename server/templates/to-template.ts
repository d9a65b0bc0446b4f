import 'server-only'
import type { ReplyTemplate } from '@/lib/contract/reply-template'
import type { replyTemplates } from '@/server/db/schema'

export function toTemplate(row: typeof replyTemplates.$inferSelect): ReplyTemplate {
  const { id, language, name, subject, body } = row
  return { id, language, name, subject, body }
}
