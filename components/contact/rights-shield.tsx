import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Confirmation } from '@/components/ui/dialog-frame'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import type { ContactRights } from '@/lib/contract/rights'
import { ProtectDialog } from './protect-dialog'

type ShieldPartProps = { contactId: string; rights: ContactRights }

/** Whether the identity is protected, and what can be done about it. */
export function ShieldPart({ contactId, rights }: ShieldPartProps) {
  const t = useTranslations('rights.shield')
  const [asked, setAsked] = useState<'protect' | 'lift' | null>(null)
  const close = () => setAsked(null)
  const { protection } = rights
  return (
    <>
      <p className="flex items-center gap-2 text-sm text-mute">
        {protection !== null && <ShieldCheck aria-hidden className="size-4 shrink-0 text-accent" />}
        {protection === null ? t('off') : t('on', { count: protection.people.length })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => setAsked('protect')}>
          {t(protection === null ? 'protect' : 'change')}
        </Button>
        {protection !== null && (
          <Button size="sm" variant="ghost" onClick={() => setAsked('lift')}>
            {t('lift')}
          </Button>
        )}
      </div>
      {asked === 'protect' && <ProtectDialog contactId={contactId} rights={rights} onClose={close} />}
      {asked === 'lift' && protection !== null && <LiftDialog id={protection.id} onClose={close} />}
    </>
  )
}

/** Asks before everybody is shown the person again. */
export function LiftDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations('rights.lift')
  const common = useTranslations('common')
  const client = useQueryClient()
  const { mutate, isPending, isError } = useMutation({
    mutationFn: () => api('DELETE /api/protections/[id]', { params: { id } }),
    onSuccess: async () => {
      await client.invalidateQueries()
      toast(t('done'))
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={t('title')}>
      <Confirmation
        text={t('body')}
        problem={isError ? t('failed') : null}
        actions={
          <>
            <Button autoFocus onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button variant="danger" busy={isPending} onClick={() => mutate()}>
              {t('confirm')}
            </Button>
          </>
        }
      />
    </Dialog>
  )
}
