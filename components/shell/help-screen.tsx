import { Marked, Renderer, type Tokens } from 'marked'
import { useTranslations } from 'next-intl'
import { PageHeader } from '@/components/ui/headings'
import type { Locale } from '@/lib/i18n/locale'

/** Shows the handbook. Only the server renders it, so that the browser gets neither the Markdown nor its parser. */
export function HelpScreen({ markdown, locale }: { markdown: string; locale: Locale }) {
  const t = useTranslations('documents')
  const { chapters, html } = readHandbook(markdown, `/help/${locale}`)
  return (
    <div className="page">
      <PageHeader title={t('help.title')} intro={t('help.intro')} />
      <div className="flex flex-col gap-6 wide:flex-row-reverse wide:justify-end wide:gap-12">
        <nav aria-label={t('parts')} className="wide:sticky wide:top-4 wide:w-56 wide:self-start print:hidden">
          <ul className="flex max-w-prose flex-wrap gap-x-4 gap-y-1 text-sm wide:flex-col">
            {chapters.map((chapter) => (
              <li key={chapter}>
                <a
                  href={`#${toAnchor(chapter)}`}
                  className="inline-block min-h-6 text-accent touch:min-h-11 touch:content-center underline-offset-2 hover:underline"
                >
                  {chapter}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <article
          aria-label={t('help.title')}
          className="flex min-w-0 max-w-3xl flex-col gap-3 leading-6 [&_code]:text-[0.92em] [&_code]:wrap-anywhere [&_li]:pl-1 [&_strong]:font-semibold [&_td]:min-w-40 [&_td]:px-3 [&_td]:py-2 [&_td]:align-top [&_td]:text-pretty [&_td:first-child]:min-w-28 [&_th]:px-3 [&_th]:py-2 [&_th]:font-medium [&_th]:text-mute [&_tr]:border-b [&_tr]:border-line-soft [&_tbody>tr:last-child]:border-b-0 [&_ul]:flex [&_ul]:max-w-prose [&_ul]:list-disc [&_ul]:flex-col [&_ul]:gap-1 [&_ul]:pl-5"
          // The HTML is safe, because the document is our own and ships with the app.
          dangerouslySetInnerHTML={{ __html: html }}
        />
      </div>
    </div>
  )
}

/** Parses the handbook. Chapters are the headings of level two; the text before the first is left out. */
function readHandbook(markdown: string, picturesPath: string) {
  let heading = ''
  const marked = new Marked({
    renderer: {
      heading({ text, tokens }) {
        heading = text
        const classes = 'mt-4 scroll-mt-4 text-lg font-semibold text-balance'
        return `<h2 id="${toAnchor(text)}" class="${classes}">${this.parser.parseInline(tokens)}</h2>`
      },
      paragraph({ tokens }) {
        const inner = this.parser.parseInline(tokens)
        return tokens[0]?.type === 'image' ? inner : `<p class="max-w-prose text-pretty">${inner}</p>`
      },
      image: ({ href, text }) =>
        `<img src="${picturesPath}/${href}.webp" alt="${text}" width="1280" height="800" loading="lazy" class="my-2 h-auto w-full rounded-md border border-line">`,
      // A table that is wider than the screen scrolls within itself, and the keyboard can reach it.
      table(token) {
        const classes =
          'scroll-thin overflow-x-auto rounded-md border border-line bg-panel [&>table]:w-full text-left text-sm'
        const table = new Renderer().table.call(this, token)
        return `<div role="region" aria-label="${heading}" tabindex="0" class="${classes}">${table}</div>`
      },
    },
  })
  const tokens = marked.lexer(markdown)
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
  return {
    chapters: headings.map(({ text }) => text),
    html: marked.parser(tokens.slice(tokens.findIndex((token) => token === headings[0]))),
  }
}

function toAnchor(heading: string): string {
  return (heading.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-')
}
