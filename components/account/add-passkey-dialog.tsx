import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Dialog } from '@/components/ui/dialog'
import { toast } from '@/components/ui/toast'
import { addPasskey } from '@/lib/api/passkeys'
import type { AddedFactorAnswer } from '@/lib/contract/second-factor'
import { FactorForm, FactorName } from './factor-form'

type AddPasskeyDialogProps = { onAdded: (added: AddedFactorAnswer) => void; onClose: () => void }

/** What a passkey is, and what this one is called; the browser does the rest in a window of its own. */
export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const t = useTranslations('account.passkey')
  const factors = useTranslations('account.factors')
  const { mutate, isPending, isError, data } = useMutation({
    mutationFn: addPasskey,
    onSuccess: (added) => {
      if (added === null) return
      toast(factors('passkeyAdded'))
      onAdded(added)
    },
  })
  return (
    <Dialog open onClose={onClose} title={t('title')}>
      <FactorForm
        field="name"
        onGive={mutate}
        onClose={onClose}
        action={t('create')}
        busy={isPending}
        problem={isError || data === null ? factors('passkeyFailed') : null}
      >
        <p className="text-sm text-pretty text-mute">{t('body')}</p>
        <FactorName suggested={t('defaultName')} />
      </FactorForm>
    </Dialog>
  )
}
