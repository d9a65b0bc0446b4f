import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { FormFrame } from '@/components/ui/dialog-frame'
import { Field, Input } from '@/components/ui/field'
import { toast } from '@/components/ui/toast'
import { addPasskey } from '@/lib/api/own-secrets'
import type { AddedFactorAnswer } from '@/lib/contract/second-factor'

type AddPasskeyDialogProps = { onAdded: (added: AddedFactorAnswer) => void; onClose: () => void }

/** What a passkey is, and what this one is called; the browser does the rest in a window of its own. */
export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const t = useTranslations('account.passkey')
  const totp = useTranslations('account.totp')
  const factors = useTranslations('account.factors')
  const common = useTranslations('common')
  const { mutate, isPending, isError, data } = useMutation({
    mutationFn: addPasskey,
    onSuccess: (added) => {
      if (added === null) return
      toast(factors('passkeyAdded'))
      onAdded(added)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(String(new FormData(event.currentTarget).get('name')))
  }
  return (
    <Dialog open onClose={onClose} title={t('title')}>
      <form method="post" onSubmit={submit}>
        <FormFrame
          problem={isError || data === null ? factors('passkeyFailed') : null}
          actions={
            <>
              <Button onClick={onClose}>{common('cancel')}</Button>
              <Button type="submit" variant="primary" busy={isPending}>
                {t('create')}
              </Button>
            </>
          }
        >
          <p className="text-sm text-pretty text-mute">{t('body')}</p>
          <Field label={totp('name')} hint={totp('nameHint')}>
            {(attributes) => (
              <Input
                {...attributes}
                name="name"
                defaultValue={t('defaultName')}
                autoComplete="off"
                required
                pattern=".*\S.*"
                maxLength={60}
              />
            )}
          </Field>
        </FormFrame>
      </form>
    </Dialog>
  )
}
