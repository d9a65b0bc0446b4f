'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { toast } from '@/components/ui/toast'
import { ApiError } from '@/lib/api/api-error'
import { deleteNote, noteKeys } from '@/lib/api/notes'
import type { LeadRef } from '@/lib/contract/lead'

type RemoveNoteProps = { lead: LeadRef; id: string; isOpen: boolean; onClose: () => void }

/** Asks first, for a note that is gone is gone for everyone. */
export function RemoveNote({ lead, id, isOpen, onClose }: RemoveNoteProps) {
  const t = useTranslations('contact.notes')
  const common = useTranslations('common')
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => deleteNote(id).catch(ignoreGone),
    onError: () => toast(t('removeFailed'), { tone: 'error' }),
    onSettled: () => {
      onClose()
      return client.invalidateQueries({ queryKey: noteKeys.of(lead) })
    },
  })
  return (
    <Dialog open={isOpen} onClose={onClose} title={t('removeTitle')}>
      <div className="flex flex-col gap-5 px-5 pb-5">
        <p className="text-sm text-mute">{t('removeBody')}</p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button variant="danger" busy={isPending} onClick={() => mutate()}>
            {t('removeYes')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** Somebody else was quicker: the same is reached. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof ApiError && error.kind === 'not-found')) throw error
}
