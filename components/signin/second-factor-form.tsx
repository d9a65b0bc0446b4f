import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'

type SecondFactorFormProps = {
  /** The way that is under way. */
  busy: string | null
  onCode: (code: string) => void
  /** Undefined where the browser knows no passkeys. */
  onPasskey: (() => void) | undefined
  onBack: () => void
}

/** The second step of signing in: the password was right, and the person has more than that. */
export function SecondFactorForm({ busy, onCode, onPasskey, onBack }: SecondFactorFormProps) {
  const t = useTranslations('signin.factor')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onCode(String(new FormData(event.currentTarget).get('code')))
  }
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      <Field label={t('code')} hint={t('hint')}>
        {(attributes) => (
          <Input
            {...attributes}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            required
            maxLength={40}
            autoFocus
            className="tabular"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={busy === 'code'} disabled={busy !== null}>
        {t('submit')}
      </Button>
      {onPasskey && (
        <Button size="lg" busy={busy === 'passkey'} disabled={busy !== null} onClick={onPasskey}>
          {t('passkey')}
        </Button>
      )}
      <Button variant="ghost" onClick={onBack}>
        {t('back')}
      </Button>
    </form>
  )
}
