import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import type { SigningIn } from './use-sign-in'

type SecondFactorFormProps = { signIn: SigningIn; onPasskey: (() => void) | undefined }

export function SecondFactorForm({ signIn, onPasskey }: SecondFactorFormProps) {
  const t = useTranslations('signin.factor')
  const { busy } = signIn
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void signIn.withCode(String(new FormData(event.currentTarget).get('code')))
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
      <Button variant="ghost" onClick={signIn.startOver}>
        {t('back')}
      </Button>
    </form>
  )
}
