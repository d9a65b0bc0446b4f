import { LOOSE, matchText } from '@/lib/keyboard/match-text'

/** The groups of the palette, in their order before anything is typed. */
const GROUPS = ['go', 'commands', 'queues', 'views', 'schools', 'look', 'account'] as const
export type PaletteGroupName = (typeof GROUPS)[number]

type Offer = {
  label: string
  group: PaletteGroupName
  /** Too many to show before anything is typed. */ isQuiet?: boolean
}

export type OfferGroup<Item> = { name: PaletteGroupName; items: Item[] }

const MOST = 40

/**
 * What of the offered fits the text, by group, the group with the best match first and in each the best first. Letters that
 * merely come in order count only where nothing fits better, and not at all without `isLooseWanted`.
 */
export function groupOffers<Item extends Offer>(
  offers: readonly Item[],
  text: string,
  headings: Readonly<Record<PaletteGroupName, string>>,
  isLooseWanted = true,
): OfferGroup<Item>[] {
  const ranked = offers.flatMap((item) => {
    const rank = text.trim() === '' ? (item.isQuiet === true ? null : 0) : rankOf(item, text, headings[item.group])
    return rank === null ? [] : [{ item, rank }]
  })
  const isClose = !isLooseWanted || ranked.some(({ rank }) => rank < LOOSE)
  const kept = ranked.filter(({ rank }) => !isClose || rank < LOOSE).toSorted((a, b) => a.rank - b.rank)
  const bestOf = (name: PaletteGroupName) => kept.find(({ item }) => item.group === name)?.rank ?? Infinity
  return GROUPS.map((name) => ({
    name,
    items: kept
      .slice(0, MOST)
      .filter(({ item }) => item.group === name)
      .map(({ item }) => item),
  }))
    .filter(({ items }) => items.length > 0)
    .toSorted((a, b) => bestOf(a.name) - bestOf(b.name))
}

/** The heading counts too, but little: "skola nor" finds the school Norra. */
function rankOf({ label }: Offer, text: string, heading: string): number | null {
  const own = matchText(label, text)
  if (own !== null && own < LOOSE) return own
  const wide = matchText(`${label} ${heading}`, text)
  return wide === null || wide >= LOOSE ? own : wide + 2
}

/** Whether the text is about something that is offered, so that it goes before the leads and people it also finds. */
export function isAboutOffers(groups: readonly OfferGroup<Offer>[], text: string): boolean {
  return groups.some(({ items }) => items.some(({ label }) => (matchText(label, text) ?? LOOSE) <= 1))
}
