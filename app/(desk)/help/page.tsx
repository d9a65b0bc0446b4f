import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getLocale } from 'next-intl/server'
import { createSignedInPage } from '@/app/(desk)/desk-page'
import { HelpScreen } from '@/components/shell/help-screen'

const { generateMetadata, Page } = createSignedInPage({
  title: (t) => t('documents.help.title'),
  screen: async () => {
    const locale = await getLocale()
    const file = join(/* turbopackIgnore: true */ process.cwd(), 'docs', `help.${locale}.md`)
    return <HelpScreen markdown={await readFile(file, 'utf8')} locale={locale} />
  },
})

export { generateMetadata, Page as default }
