import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { ROLES } from '@/lib/contract/roles'
import type { SignIn } from './use-sign-in'

const DEMO_PASSWORD = 'demo'

/** The server restores these accounts at each start of the demo. */
export function DemoAccounts({ busyMethod, signIn }: Pick<SignIn, 'busyMethod' | 'signIn'>) {
  const t = useTranslations('signin.demo')
  const roleName = useTranslations('common.role')
  return (
    <section aria-labelledby="demo-accounts" className="mt-3">
      <h2 id="demo-accounts" className="text-sm font-semibold">
        {t('title')}
      </h2>
      <p className="mb-3 text-xs text-mute">{t('body')}</p>
      <ul className="flex flex-col gap-2">
        {ROLES.map((role) => {
          const email = `${role}@demo.test`
          const text = (
            <span className="flex-1 py-2 text-left">
              <span className="block">{roleName(role)}</span>
              <span className="block text-xs font-normal whitespace-normal text-mute">{t(role)}</span>
            </span>
          )
          return (
            <li key={role}>
              <Button
                text={text}
                size="lg"
                className="h-auto w-full"
                busy={busyMethod === email}
                disabled={busyMethod !== null}
                onClick={() => void signIn({ email, password: DEMO_PASSWORD }, email)}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
