import { useTranslations } from 'next-intl'
import type { FormEvent, ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { FormFrame } from '@/components/ui/dialog-frame'
import { Field, Input } from '@/components/ui/field'

type FactorFormProps = {
  /** The name of the one field whose text is given. */
  field: string
  onGive: (text: string) => void
  onClose: () => void
  /** What the button says that gives it. */
  action: string
  busy: boolean
  problem: string | null
  children: ReactNode
}

/** One step on the way to another second factor: a single field, given or called off. */
export function FactorForm({ field, onGive, onClose, action, busy, problem, children }: FactorFormProps) {
  const common = useTranslations('common')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onGive(String(new FormData(event.currentTarget).get(field)))
  }
  return (
    <form method="post" onSubmit={submit}>
      <FormFrame
        problem={problem}
        actions={
          <>
            <Button onClick={onClose}>{common('cancel')}</Button>
            <Button type="submit" variant="primary" busy={busy}>
              {action}
            </Button>
          </>
        }
      >
        {children}
      </FormFrame>
    </form>
  )
}

/** What the person will know the factor by; the field is called `name`. */
export function FactorName({ suggested, autoFocus = false }: { suggested: string; autoFocus?: boolean }) {
  const t = useTranslations('account.totp')
  return (
    <Field label={t('name')} hint={t('nameHint')}>
      {(attributes) => (
        <Input
          {...attributes}
          name="name"
          defaultValue={suggested}
          autoComplete="off"
          required
          pattern=".*\S.*"
          maxLength={60}
          autoFocus={autoFocus}
        />
      )}
    </Field>
  )
}
