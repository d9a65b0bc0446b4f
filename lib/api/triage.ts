import type { LeadRef, LeadStatus } from '@/lib/contract/lead'
import type { TriageAnswer, UndoAnswer } from '@/lib/contract/triage'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { request } from './request'

/** A lead, and the version of its triage that the decision was made by. */
export type LeadVersion = LeadRef & { updatedAt?: string | null | undefined }
/** `assignee` is a user's id, `me` or `none`. */
export type TriageFields = { status?: LeadStatus | undefined; assignee?: string | undefined }

export function changeTriage(change: { leads: readonly LeadVersion[] } & TriageFields): Promise<TriageAnswer> {
  return request('/api/triage', { method: 'PATCH', body: change, read: readResult })
}

export function undoTriage(undo: string): Promise<UndoAnswer> {
  return request('/api/triage/undo', { method: 'POST', body: { undo }, read: readUndo })
}

function readResult(body: unknown): TriageAnswer {
  if (!isResult(body)) throw new ApiError('unreadable', 200)
  return body
}

function isResult(body: unknown): body is TriageAnswer {
  return isRecord(body) && Array.isArray(body['changed']) && Array.isArray(body['conflicts'])
}

function readUndo(body: unknown): UndoAnswer {
  if (!isUndo(body)) throw new ApiError('unreadable', 200)
  return body
}

function isUndo(body: unknown): body is UndoAnswer {
  return isRecord(body) && typeof body['restored'] === 'number'
}
