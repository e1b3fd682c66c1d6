// Made from croupier.contract by tools/page_types.py: the replies of the API, as the pages read them.

/** An account: chips away from tables, roles, limits, and the tables where its owner sits. */
export interface Account {
  person: string;
  name: string;
  roles: string[];
  card: string | null;
  chips: string;
  limits: Limits;
  later_limits: LaterLimits | null;
  exclusion: Exclusion | null;
  tables: string[];
  visits: Visit[];
  version: number;
  within?: string[] | null;
}

/** An act of the book: `by` are titles in the book, `roles` those of the house. */
export interface Act {
  id: string;
  says: string[];
  by: string[];
  roles: ("dealer" | "inspector" | "manager" | "operator" | "player" | "supervisor")[];
  clause: string;
  fields: Field[];
  against: Against[];
  aside: boolean;
  topic: string;
}

/** The acts of a book, its grounds for void throws, and the call for each result, such as `4 3`. */
export interface Acts {
  id: string;
  titles: Title[];
  commands: TableCommand[];
  acts: Act[];
  voids: Ground[];
  results: Record<string, string>;
  facts: Record<string, number | string>;
  tumbles: number;
}

/** A possible objection to an act, worded as its refusal. */
export interface Against {
  code: string;
  say: string;
  clause: string | null;
}

/** Something that staff must answer for: `words` in short, `tells` what `who` did (None: the house itself). */
export interface Alert {
  table: string;
  title: string;
  book: string;
  zone: string;
  event: number;
  words: string;
  tells: string;
  clause: string | null;
  who: string | null;
  at: string;
  since: string;
  answered: Answered | null;
}

/** The open alerts, oldest first; those to come; those answered recently, newest first. */
export interface Alerts {
  open: Alert[];
  coming: Alert[];
  answered: Alert[];
  duties: Duty[];
}

/** An amendment of the terms: when it was made, and sent to the regulator. */
export interface Amendment {
  made: Mark | null;
  sent: Mark | null;
}

/** Who answered for an alert, when, and with which note. */
export interface Answered {
  who: string | null;
  at: string;
  note: string;
}

/** A betting area: `pays` is short enough to print on it, `terms` is everything in the pay table. */
export interface Area {
  wager: string;
  pick: number | string | number[] | null;
  name: string;
  label: string;
  note: string;
  clause: string;
  at: number[];
  narrow: number[];
  group: string;
  dice: (number | string)[][];
  travelled: boolean;
  pays: string;
  terms: string;
  lines: PayLine[];
  least: string;
  fixed: boolean;
  optional: boolean;
  behind: string | null;
  offered: boolean;
  sleeps: boolean;
  min: string | null;
  max: string | null;
  commission?: string | null;
}

/** The effects of the next throw on an area: on your wager there, or else on one that you make now. */
export interface AreaEffects {
  effects: ThrowEffect[];
  which: number[];
  refused?: AreaRefusal | null;
}

/** An area of the felt: a wager and its pick. */
export interface AreaKey {
  wager: string;
  pick: number | string | number[] | null;
}

/** Why nothing more can be bet on an area now, with the code of the refusal. */
export interface AreaRefusal extends Objection {
  code: string;
}

/** A field that a step asks for. */
export interface AskedField {
  name: string;
  kind: "case" | "count" | "faces" | "money" | "player" | "reason" | "role" | "text" | "time" | "wager";
}

/** An attempt to reach a winner. */
export interface Attempt {
  way: string;
  reached: boolean;
  at: string;
  by: string | null;
}

/** An award: the money due for it, if any, and in `offers` what the caller may do now, or why not yet. */
export interface Award {
  award: number;
  prize: string;
  entrant: string;
  value: string;
  drawn: string;
  status: string;
  declined: Mark | null;
  attempts: Attempt[];
  alternative: string | null;
  chosen: boolean;
  forms: string[];
  due: string | null;
  winner_chooses: boolean;
  offers: Record<string, Objection | null>;
}

/** The balance of an account in the house's books; a negative amount is owed. */
export interface Balance {
  account: string;
  amount: string;
}

/** A rule book with its wagers. `pays` follows the default pay table. */
export interface Book {
  id: string;
  title: string;
  wagers: Offered[];
}

/** The chances of all wagers of a book under a pay table. `ways` is how many outcomes a throw has, all equal. */
export interface BookChances {
  book: string;
  ways: number;
  rows: Chance[];
}

/** A rule book by its id. `prizes`: whether it has rules for promotional prizes; `lesson`: whether a first game. */
export interface BookTitle {
  id: string;
  title: string;
  prizes: boolean;
  lesson?: boolean;
}

/** Every account with a balance, and the findings of an audit (empty if all is well). */
export interface BooksReport {
  ok: boolean;
  events: number;
  streams: number;
  total: string;
  balances: Balance[];
  findings: Finding[];
}

/** An open case. The first of `next` is the expected act; `due` is still to be paid. */
export interface Case {
  table: string;
  title: string;
  book: string;
  zone: string;
  kind: string;
  case: string;
  who: string | null;
  about: string;
  since: string | null;
  stands: string;
  due: string;
  next: NextAct[];
}

/** The exact chances of a wager, from the throw it is made for to the end: rounded for people, and as fractions. */
export interface Chance {
  wager: string;
  pick: number | string | number[] | null;
  name: string;
  clause: string;
  wins: string;
  loses: string;
  returns: string;
  edge: string;
  throws: string;
  p_win: string;
  p_lose: string;
  p_void: string;
  exact_edge: string;
}

/** A signed statement of how far the house's streams had come. */
export interface Checkpoint {
  number: number;
  at: string;
  house: string;
  key: string;
  statement: string;
  signature: string;
}

/** A page of checkpoints. */
export interface Checkpoints {
  entries: Checkpoint[];
  next: number | null;
}

/** A claim. `named` says, to those who manage promotions, whether a name and address were recorded with it. */
export interface Claim {
  claim: string;
  award: number;
  claimant: string;
  made: Mark | null;
  denied: Mark | null;
  reason: string | null;
  kept: boolean;
  told: Mark | null;
  named?: boolean | null;
}

/** A claimant's name and address. `sealed`: exactly as recorded with the claim. */
export interface Claimant {
  promotion: string;
  claim: string;
  name: string;
  address: string;
  sealed: boolean;
}

/** A clause in our own words: `class_` is how the software treats it, `page` where people read it. */
export interface Clause {
  clause: string;
  class: "enforced" | "physical" | "recorded" | "shown";
  summary: string;
  reason: string | null;
  moment: string | null;
  readings: string[];
  page: string;
}

/** A clause, its parent, its parts and the readings that concern it. */
export interface ClauseRead {
  clause: Clause;
  above: string | null;
  parts: string[];
  readings: Reading[];
}

/** A step that the table would accept from this person now: its words, its line, and the fields still asked for. */
export interface ConsoleStep {
  kind: "beside" | "next";
  words: string;
  line: Record<string, number | string | (number | string)[] | null>;
  asks: AskedField[];
  press: string;
  key: string | null;
  clause: string | null;
  refused: Objection | null;
  first?: Record<string, number | string | (number | string)[] | null>[] | null;
  previews?: boolean;
}

/** Everything that a correction changes. `house` is the house's gain, negative for a loss. */
export interface CorrectionPreview {
  was: (number | string)[];
  now: (number | string)[];
  players: PlayerChange[];
  house: string;
  since: SinceChange[];
  table: TableChange[];
}

/** The play that entries were counted from; see the event `play_counted`. */
export interface CountedPlay {
  type: "play_counted";
  tables: Record<string, number>;
  since: string;
  until: string;
  cents: number;
  wagers: string[];
  minimum: number;
  without: string[];
}

/** A table's day so far. `expected` is the mean of its win; 95% of results lie from `low` to `high`. */
export interface DayFigures {
  day: string;
  turnover: string;
  drop: string;
  win: string;
  throws: number;
  expected: number;
  standing: number;
  low: number;
  high: number;
  rough: boolean;
}

/** A dispute. `restorable` are the awards that a decision for the patron can restore. */
export interface Dispute {
  dispute: string;
  patron: string;
  about: string;
  decision: string | null;
  raised: Mark | null;
  decided: Mark | null;
  dissatisfied: Mark | null;
  advised: Mark | null;
  restorable?: number[] | null;
}

/** An order was carried out and stored; `versions` are the new versions of the streams it changed. */
export interface Done {
  ok: boolean;
  versions: Record<string, number>;
  calls?: string[];
  number?: string | null;
  receipt?: Receipt | null;
}

/** The public part of a draw. `nobody` are prizes for which no entry was left. */
export interface Draw {
  commitment: string | null;
  entries: number;
  weight: number;
  results: DrawResult[];
  nobody: string[];
}

/** An award in the public record, under the entrant's pseudonym. */
export interface DrawResult {
  award: number;
  prize: string;
  entry: number;
  entrant: string;
  status: string;
}

/** Everything about a felt that does not change from throw to throw. */
export interface Drawing {
  table?: string;
  name?: string;
  terms?: string;
  book: string;
  title: string;
  clause: string;
  size: number[];
  narrow_size: number[];
  ring: Ring | null;
  areas: Area[];
  wide: DrawnSheet;
  narrow: DrawnSheet[];
  throw: ThrowDrawn;
  chip: string;
  sign: TableSign;
  closes_bets: boolean;
  sleeps: boolean;
  roads: Road[];
  marker: string | null;
  rhythm?: DrawnRhythm | null;
  own_limit?: OwnSign | null;
}

/** An area on a sheet: `place` is its place in `areas`, `path` its outline, or what it lies along with a `width`. */
export interface DrawnArea {
  place: number;
  path: string;
  chip: [number, number];
  room: [number, number, number, number];
  pay: [number, number];
  width?: number | null;
  box?: [number, number, number, number] | null;
  number?: number | string | number[] | null;
  puck?: [number, number] | null;
  shows?: "always" | "held" | "odds" | "wanted";
  tone?: string;
  scale?: number;
  text?: DrawnWords[];
  dice?: DrawnDice[];
  lines?: DrawnLine[];
}

/** Dice or coins in a row: their middle, and the size of each. */
export interface DrawnDice {
  faces: (number | string)[];
  at: [number, number];
  size: number;
  turn?: number;
}

/** A line or a surface, as an SVG path; with a `width` it is a stroke. */
export interface DrawnLine {
  path: string;
  tone: string;
  width?: number | null;
  dash?: number[];
}

/** Seconds that bets are open, and of the last call. */
export interface DrawnRhythm {
  open: number;
  last_call: number;
}

/** A felt as it is drawn, or a part of one: its areas in the order in which they are drawn, and what lies below. */
export interface DrawnSheet {
  name: string;
  size: [number, number];
  cloth: string;
  areas: DrawnArea[];
  text?: DrawnWords[];
  dice?: DrawnDice[];
  lines?: DrawnLine[];
  puck?: [number, number] | null;
  fall?: [number, number, number] | null;
  choose?: [number, number, number, number] | null;
  numbers?: [number | string | number[] | null, string][];
}

/** Printed words: where, how large, how wide if that is fixed, and turned by how many degrees about that place. */
export interface DrawnWords {
  says: string;
  at: [number, number];
  size: number;
  width?: number | null;
  turn?: number;
  tone?: string;
  to?: string;
  plain?: boolean;
}

/** The open duties, soonest first and those without a deadline last, and those done, newest first. */
export interface Duties {
  at: string;
  open: Duty[];
  done: Duty[];
}

/** A duty `of` a table or a promotion; `due` is None for as soon as possible. Times are in `zone`. */
export interface Duty {
  of: "promotion" | "table";
  name: string;
  title: string;
  book: string;
  zone: string;
  id: string;
  what: string;
  clause: string;
  responsible: string[];
  roles: string[];
  since: string | null;
  due: string | null;
  standing: "done" | "done late" | "due" | "overdue";
  done_at: string | null;
  done_by: string | null;
  alert: number | null;
  answered: boolean;
}

/** Every `amount` staked at these tables on these wagers earns a ticket; empty lists mean all. */
export interface Earning {
  amount: string;
  tables: string[];
  wagers: string[];
}

/** A page of entries; pass `next` as `after` for more. */
export interface Entries {
  entries: Entry[];
  next: number | null;
}

/** Something that happened at a table, to an account or to a promotion. */
export interface Entry {
  version: number;
  hash: string;
  at: string;
  type: string;
  events: Record<string, any>[];
  who?: string | null;
  as?: string | null;
  order?: string | null;
}

/** An exclusion from play until a time, or (None) permanently. */
export interface Exclusion {
  until: string | null;
  by_house: boolean;
}

/** How often a total fell, or a named result: a count for each span. */
export interface FellColumn {
  name: string;
  counts: number[];
}

/** A table with everything that a felt shows. It is drawn again when `terms` changes. */
export interface Felt extends Table {
  owing: Record<string, string>;
  terms: string;
  now: string;
  ready: number;
  playing: number;
  own_ready: boolean;
  wins: AreaKey[];
  closed_areas: number[];
  lamps: Lamp[];
  marker: Marker | null;
  betting: "closed" | "late" | "open";
  attended: boolean;
  seats: number | null;
  taken_places: number[];
  signs: Sign[];
  results: ShownResult[];
  thrower: Thrower;
  cases: Case[];
  own_checks: OwnChecks[];
  own_acts: OwnAct[];
  shown_until: string | null;
  places?: Record<string, number> | null;
  waiting?: WaitingWager[] | null;
  steps?: ConsoleStep[] | null;
  moment?: string | null;
  begun?: boolean | null;
  corrected_by?: string[] | null;
}

/** A field of an act. `choices` are the allowed words, `reasons` the allowed grounds with their summaries. */
export interface Field {
  name: string;
  kind: "case" | "count" | "faces" | "money" | "player" | "reason" | "role" | "text" | "time" | "wager";
  choices: string[];
  reasons: Reason[];
}

/** A table, or (None) the house, over a day, a month or a year. Computed figures are in dollars, rounded. */
export interface Figures {
  table: string | null;
  period: string;
  drop: string;
  win: string;
  hold: number | null;
  turnover: string;
  wagers: number;
  rounds: number;
  throws: number;
  players: number;
  average_stake: number | null;
  expected: number;
  standing: number;
  sd: number;
  low: number;
  high: number;
  z: number | null;
  rough: boolean;
  commission: string;
  corrections: string;
  returned: string;
  vouchers: string;
  cashed_out: string;
}

/** An audit finding: the stream, the event if there is one, and a message. */
export interface Finding {
  stream: string;
  version: number | null;
  sentence: string;
}

/** All tables, and the time of the house, by which their clocks run. */
export interface Floor {
  at: string;
  tables: FloorTable[];
}

/** One table at a glance. `glance` is null until computed; `alerts` counts open ones and overdue duties. */
export interface FloorTable {
  table: string;
  title: string;
  book: string;
  zone: string;
  version: number;
  by_itself: boolean;
  state: "closed" | "closing" | "open";
  bets: "closed" | "open";
  round: Round | null;
  staff: Record<string, string>;
  players: string[];
  kept: Record<string, string>;
  owing: Record<string, string>;
  seats: number | null;
  limits: StakeLimits;
  wager_limits: Record<string, StakeLimits>;
  player_limits: Record<string, OwnSign>;
  signs: Sign[];
  alerts: number;
  glance: Glance | null;
}

/** What the front page shows besides the tables. `felts` has the place in `previews` of each table's picture. */
export interface Front {
  games: GameShown[];
  previews: Preview[];
  felts: Record<string, number>;
  prices: Prices[];
}

/** An entry for people who may see who did it: null is the house itself. */
export interface FullEntry extends Entry {
  who: string | null;
  as: string | null;
  order: string | null;
}

/** A promotion for its managers: every field is sent. */
export interface FullPromotion extends Promotion {
  form: Terms | null;
  proposed: Terms | null;
  may: PromotionCommand[] | null;
  filed: Mark | null;
  published: Mark | null;
  in_marketing: boolean | null;
  amendments: Amendment[] | null;
  scrutineer: Mark | null;
  scrutineer_there: boolean | null;
  notices: Notice[] | null;
  entries_closed: Mark | null;
  entrants: number | null;
  counted: CountedPlay | null;
  to_draw: number | null;
  awards: Award[] | null;
  claims: Claim[] | null;
  disputes: Dispute[] | null;
}

/** A book as the front page presents it: where it is from, and one sentence about it. */
export interface GameShown {
  book: string;
  title: string;
  game: string;
  place: string;
  about: string;
}

/** Computed figures of a table up to a version. */
export interface Glance {
  version: number;
  figures: DayFigures;
  pace: Pace;
}

/** A clause that makes a throw void; `calls` are its words, the usual ones first. */
export interface Ground {
  clause: string;
  summary: string;
  by: string[];
  roles: ("dealer" | "inspector" | "manager" | "operator" | "player" | "supervisor")[];
  calls: string[];
  kind: "forfeits" | "invalidates" | "void";
  mandatory: boolean;
}

/** A turn of a shooter: its rolls before the dice passed on, when it began, and the event of its first roll. */
export interface Hand {
  rolls: number;
  at: string;
  version: number;
  own: boolean;
}

/** The longest turns so far: at the table, and of the caller. `until` is the result that passes the dice on. */
export interface Hands {
  until: string;
  clause: string;
  longest: Hand | null;
  own: Hand | null;
}

/** Whether the house takes orders, and damaged streams; accounts and promotions are counted, not named. */
export interface Health {
  ok: boolean;
  house: string;
  state: string;
  disk: string;
  damaged: Record<string, string>;
  damaged_accounts: number;
  damaged_promotions: number;
  warning?: string | null;
  witnesses: WitnessState[];
}

/** The house, its signing key and its newest checkpoint. */
export interface House {
  house: string;
  version: string;
  at: string;
  zone: string;
  key: string;
  checkpoint: string | null;
  sign_up: boolean;
  books: string[];
  you: string | null;
  sign_ins: SignIn[];
}

/** The takings of all tables together. */
export interface HouseReport {
  house: string;
  span: string;
  periods: Period[];
}

/** A name with a value, or with lights of which some are lit. */
export interface Lamp {
  name: string;
  words: string;
  lit: number;
  of: number;
  colour: string;
}

/** A result that counted, and how it was called. */
export interface LastResult {
  faces: (number | string)[];
  call: string | null;
}

/** Looser limits that take effect later. */
export interface LaterLimits extends Limits {
  from: string;
}

/** What is said after the last move of a first game. */
export interface LessonEnd {
  title: string;
  says: string;
}

/** The first game of a book. */
export interface LessonShown {
  book: string;
  title: string;
  chips: string;
  steps: LessonStep[];
  end: LessonEnd;
}

/** A move of a first game, with what is said before it: a bet of an amount on a wager, or throws of these faces. */
export interface LessonStep {
  title: string;
  says: string;
  note: string;
  bet: string | null;
  pick: number | string | number[] | null;
  amount: string | null;
  throws: (number | string)[][];
}

/** What a page letters a plain rectangle with; `Area` says what each field is. */
export interface Lettering {
  box: [number, number, number, number];
  label: string;
  note: string;
  pays: string;
  terms: string;
  dice: (number | string)[][];
}

/** A player's own limits for a day; None means no limit. */
export interface Limits {
  loss: string | null;
  minutes: number | null;
}

/** A table in the public list: also its limits, what is thrown there, and the last results, the newest last. */
export interface ListedTable extends Table {
  limits: StakeLimits;
  fell: (number | string)[];
  throws: Throws;
  results: LastResult[];
  marker: Marker | null;
  attended: boolean;
}

/** When something was done, and by whom; null is the house itself. */
export interface Mark {
  at: string;
  by: string | null;
}

/** The puck, or another marker on a number, and the place of the area where it lies. */
export interface Marker {
  value: number | string | null;
  area: number | null;
}

/** A possible next act: its `words`, who may do it by the book, and the roles of the house that may. */
export interface NextAct {
  act: string;
  words: string;
  by: string[];
  roles: ("dealer" | "inspector" | "manager" | "operator" | "player" | "supervisor")[];
  clause: string;
}

/** What every outcome of the next throw would do, at a version of the table: to each area in the drawing's order. */
export interface NextThrow {
  version: number;
  outcomes: OutcomeAhead[];
  areas: AreaEffects[];
}

/** A notice to the inspector. */
export interface Notice {
  what: string;
  since: string;
  due: string;
  told: Mark | null;
}

/** Why something is not accepted now, and the clause. */
export interface Objection {
  message: string;
  clause: string | null;
}

/** A wager on offer: a bet names its `id`, and one of its `picks` if there are any. */
export interface Offered {
  id: string;
  name: string;
  clause: string;
  picks: (number | string | number[])[];
  pays: string;
}

/** Wagers in the same state on a layout, and the house's expected win from them in dollars. */
export interface OpenWagers {
  table: string;
  wager: string;
  pick: number | string | number[] | null;
  state: string;
  wagers: number;
  stake: string;
  tokens: string;
  commission: string;
  worth: number;
}

/** One outcome of the next throw: the faces, its names, and what it would do to your wagers. */
export interface OutcomeAhead {
  faces: (number | string)[];
  names: string[];
  won?: string;
  lost?: string;
  returned?: string;
}

/** The caller's own account. A page sends `csrf` with its commands. A `guest` cannot return after signing out. */
export interface OwnAccount extends Account {
  csrf: string | null;
  guest: boolean;
}

/** An act that the table awaits from a player: words, line, and whether the game goes on with it. */
export interface OwnAct {
  words: string;
  line: Record<string, number | string | (number | string)[] | null>;
  goes_on: boolean;
}

/** A player's checks of one colour without a face value: the value of one, and their total. */
export interface OwnChecks {
  colour: string;
  value: string;
  amount: string;
}

/** An entry of the caller in a draw. */
export interface OwnEntry {
  number: number;
  weight: number;
}

/** The caller's part in a promotion; `name` is their pseudonym in the public record. */
export interface OwnPart {
  name: string | null;
  entries: OwnEntry[];
  awards: Award[];
  claims: Claim[];
  disputes: Dispute[];
}

/** The caller's play in a promotion so far; `missing` is the stake that earns the next ticket. */
export interface OwnPlay {
  promotion: string;
  earns: boolean;
  in_draw: boolean;
  staked: string;
  tickets: number;
  missing: string | null;
}

/** A player's own sign: limits for everything, and for single wagers. */
export interface OwnSign extends StakeLimits {
  limits?: Record<string, StakeLimits>;
}

/** Throws in the last hour, and the hourly rate between the first and the last of them. */
export interface Pace {
  last_hour: number;
  an_hour: number | null;
}

/** The events of one throw, from the opening of the bets to the last payment. */
export interface PastRound {
  table: string;
  round: number | null;
  first: number;
  last: number;
  shut: number | null;
  thrown: number | null;
  is_over: boolean;
}

/** A settled wager, with the faces if a throw settled it; `name` is its display name. */
export interface PastWager {
  version: number;
  at: string;
  wager: string;
  name: string;
  pick: number | string | number[] | null;
  result: string;
  stake: string;
  paid: string;
  returned: string;
  book: string;
  clause: string;
  faces: (number | string)[];
  call: string | null;
}

/** A page of settled wagers, newest first; pass `next` as `before` for older ones. */
export interface PastWagers {
  wagers: PastWager[];
  next: number | null;
}

/** A line of a pay table. */
export interface PayLine {
  for: string;
  odds: string;
}

/** One period of a report: its figures, the exact values of those that are rounded, and the figures by wager. */
export interface Period {
  figures: Figures;
  exact: Record<string, string | null>;
  wagers: WagerFigures[];
}

/** A person's stake, and the tickets it earns. */
export interface Play {
  person: string;
  staked: string;
  tickets: number;
}

/** A player's result before and after the correction, and their chips before and after. */
export interface PlayerChange {
  player: string;
  place: number | null;
  was: string;
  now: string;
  change: string;
  hand: [string, string];
  felt: [string, string];
  owes: string;
}

/** A practice table after the last line: what happened, as the pipe says it, and the felt. */
export interface PracticeReply {
  ok: true;
  events: Record<string, any>[];
  felt: Felt;
  drawing?: Drawing | null;
  ahead?: NextThrow | null;
}

/** A felt without bets, to be drawn small: the areas that always show, and where the marker and coins lie. */
export interface Preview {
  size: [number, number];
  cloth: string;
  areas: PreviewArea[];
  text?: DrawnWords[];
  dice?: DrawnDice[];
  lines?: DrawnLine[];
  puck?: [number, number] | null;
  pucks?: [number | string | number[] | null, number, number][];
  fall?: [number, number, number] | null;
}

/** An area of a small picture: its outline, and what is printed on it, or how it is lettered. */
export interface PreviewArea {
  path: string;
  width?: number | null;
  tone?: string;
  text?: DrawnWords[];
  dice?: DrawnDice[];
  lines?: DrawnLine[];
  lettering?: Lettering | null;
}

/** What a wager pays in each of several books that differ, and which of them pay most. `on` are its picks. */
export interface PriceRow {
  wager: string;
  on: string;
  pays: string[];
  most: number[];
}

/** Books of the same game, and every price in which they differ. */
export interface Prices {
  game: string;
  books: string[];
  rows: PriceRow[];
}

/** A prize of a promotion: how many there are, and the value of each. */
export interface PrizeListed {
  id: string;
  kind: string;
  nature: string | number | boolean;
  count: number;
  value: string;
}

/** A prize as a line states it. */
export interface PrizeTerms {
  id: string;
  kind: string;
  said: Record<string, string | number | boolean>;
  count: number;
  contains: string[];
  millilitres: number;
}

/** The body of every error: a stable code for programs, the clause of the book, and a sentence for people. */
export interface ProblemBody {
  ok: boolean;
  code: string;
  clause: string | null;
  message: string;
  about?: string[];
}

/** A promotion: terms with their clauses, the draw, and the caller's own part. The rest is for managers. */
export interface Promotion extends PromotionListed {
  terms: TermShown[];
  earning: Earning | null;
  one_prize_each: boolean;
  draw: Draw;
  own: OwnPart | null;
  form?: Terms | null;
  proposed?: Terms | null;
  may?: PromotionCommand[] | null;
  filed?: Mark | null;
  published?: Mark | null;
  in_marketing?: boolean | null;
  amendments?: Amendment[] | null;
  scrutineer?: Mark | null;
  scrutineer_there?: boolean | null;
  notices?: Notice[] | null;
  entries_closed?: Mark | null;
  entrants?: number | null;
  counted?: CountedPlay | null;
  to_draw?: number | null;
  awards?: Award[] | null;
  claims?: Claim[] | null;
  disputes?: Dispute[] | null;
}

/** A command that fits the stage: its fields and, if it takes at most a reason, why it is refused now. */
export interface PromotionCommand {
  do: string;
  fields: string[];
  refused: Objection | null;
}

/** A promotion in a list. `entered` and `won` are about the caller. Times are in `zone`. */
export interface PromotionListed {
  promotion: string;
  title: string;
  book: string;
  version: number;
  stage: string;
  postponed: boolean;
  times: PromotionTimes;
  zone: string;
  prizes: PrizeListed[];
  entered: boolean;
  won: boolean;
}

/** Play that earns entries. `tables`: how far each was read; `same`: whether a recount agreed. */
export interface PromotionPlay {
  promotion: string;
  earns: boolean;
  people: Play[];
  tables: Record<string, number>;
  same: boolean | null;
}

/** When a promotion starts, entries close, and prizes are awarded. */
export interface PromotionTimes {
  starts: string | null;
  entries_close: string | null;
  awarded_at: string | null;
}

/** How an ambiguous text is read. */
export interface Reading {
  id: string;
  question: string;
  taken: string;
}

/** A possible reason: a clause with its `summary` in our own words, or words that need none. */
export interface Reason {
  reason: string;
  summary: string | null;
}

/** A receipt as it is sent: one JSON object. `order` is the digest of the accepted order. */
export interface Receipt {
  croupier: "receipt";
  format: 1;
  key: string;
  stream: string;
  version: number;
  hash: string;
  at: string;
  order: string;
  path: string[];
  signature: string;
}

/** Part of a stream as stored. `anchor` starts the hash chain; pass `next` as `after` for more. */
export interface Records {
  stream: string;
  anchor: string;
  version: number;
  head: string;
  records: StoredRecord[];
  next: number | null;
}

/** A refused command: who sent what, when, and why it was refused. */
export interface RefusedCommand {
  number: number;
  format: number;
  at: string;
  who: string | null;
  order: string;
  deed: Record<string, any>;
  ok: boolean;
  code: string;
  clause: string | null;
  message: string;
  about?: string[] | null;
  bytes?: number | null;
  sha256?: string | null;
  cut?: string | null;
}

/** A page of refused commands; pass `next` as `after` for more. */
export interface RefusedCommands {
  entries: RefusedCommand[];
  next: number | null;
}

/** A register of a period: rows of text, keyed by column id. */
export interface Register {
  register: string;
  title: string;
  purpose: string;
  clauses: Record<string, string[]>;
  period: string;
  first: string;
  last: string;
  so_far: string | null;
  columns: RegisterColumn[];
  rows: Record<string, string>[];
}

/** A column of a register: its key in every row, and its heading. */
export interface RegisterColumn {
  id: string;
  name: string;
}

/** A register: its purpose, the clauses that require it, and its number of rows in a period. */
export interface RegisterTitle {
  register: string;
  title: string;
  purpose: string;
  clauses: Record<string, string[]>;
  rows: number;
}

/** All registers of a period. `so_far` says how far they go if the period is not over. */
export interface Registers {
  period: string;
  first: string;
  last: string;
  so_far: string | null;
  registers: RegisterTitle[];
}

/** How a table runs by itself, in seconds: bets open, the last call before they close, closed, the result shown. */
export interface Rhythm {
  open: number;
  last_call: number;
  shut: number;
  show: number;
  waits: boolean;
  numbers: number;
}

/** The space on the felt where the dice or coins fall. */
export interface Ring {
  at: [number, number, number, number];
  narrow: [number, number, number, number];
}

/** A line of results on one of several sides, as displays show it. */
export interface Road {
  name: string;
  sides: string[];
}

/** The round of a table that runs by itself; bets are open until it `closes`. */
export interface Round {
  number: number;
  commitment: string;
  closes: string;
  last_call: boolean;
  shut: boolean;
  waiting: boolean;
  protocol: number;
  numbers: number;
  brief: boolean;
}

/** A result on the display. `void` is the clause by which it did not count, `was` the wrong result it replaces. */
export interface ShownResult {
  faces: (number | string)[];
  call: string | null;
  title: string;
  void: string | null;
  turn: number;
  before: number | string | null;
  after: number | string | null;
  passes: boolean;
  names: string[];
  by: string | null;
  was: (number | string)[];
  round: number | null;
  version?: number | null;
}

/** A sign that announces something: when it went up, the time it states, and when it may be acted on. */
export interface Sign {
  announces: "closing" | "minimum";
  shown: string;
  states: string;
  holds: string;
  wager: string | null;
  minimum: string | null;
}

/** A sign-in of a demonstration, which everyone may use. */
export interface SignIn {
  person: string;
  password: string;
  role: string;
}

/** The person signed in. Send `csrf` as the header X-CSRF-Token with every further request that is not a GET. */
export interface SignedIn {
  person: string;
  csrf: string;
  until: string;
}

/** A wager made since the settled result: whether it stands, or is returned. */
export interface SinceChange {
  player: string;
  wager: string;
  pick: number | string | number[] | null;
  amount: string;
  stands: boolean;
}

/** The smallest and the largest stake; None is no limit. */
export interface StakeLimits {
  min: string | null;
  max: string | null;
}

/** A wager that stands. `on` is whether it acts on the next throw, if the book has wagers that sleep. */
export interface StandingWager {
  player: string;
  wager: string;
  pick: number | string | number[] | null;
  amount: string;
  tokens?: string | null;
  checks?: Record<string, string>;
  on?: boolean | null;
}

/** A stored event, byte for byte, and the chain's hash after it. */
export interface StoredRecord {
  version: number;
  document: string;
  hash: string;
}

/** The state of a table, as far as the caller may see it. Times of the table are in `zone`. */
export interface Table {
  table: string;
  title: string;
  book: string;
  version: number;
  zone: string;
  hash: string;
  open: boolean;
  players: number;
  by_itself: boolean;
  round: Round | null;
  seated: boolean;
  chips: Record<string, string>;
  wagers: StandingWager[];
  puck?: number | string | null;
  size?: number | string | null;
  parity?: number | string | null;
  odds?: number | string | null;
  bets?: "closed" | "open" | null;
  tokens?: Record<string, string>;
  kept?: Record<string, string>;
  owing?: Record<string, string>;
  checks?: Record<string, Record<string, string>>;
  facts?: Record<string, number | string>;
  staff?: Record<string, string> | null;
}

/** A property of the table that the correction changes, in words. */
export interface TableChange {
  name: string;
  was: string;
  now: string;
}

/** A command of every table; `do` is its word in a line. `by` are titles, `roles` those of the house. */
export interface TableCommand {
  do: string;
  by: string[];
  roles: ("dealer" | "inspector" | "manager" | "operator" | "player" | "supervisor")[];
  clause: string | null;
  against: Against[];
  says: string[];
  fields: Field[];
}

/** A table's takings up to one of its events, and the wagers on its layout. */
export interface TableReport {
  table: string;
  version: number;
  span: string;
  periods: Period[];
  open: OpenWagers[];
}

/** What the table's sign states. `super_streak` is the fixed amount of that wager. */
export interface TableSign {
  min: string | null;
  max: string | null;
  player_max?: string | null;
  unit?: string | null;
  seats?: number | null;
  dice?: "manual" | null;
  late?: boolean;
  without?: string[];
  super_streak?: string | null;
}

/** A point of the terms, and the clause that requires it. */
export interface TermShown {
  name: string;
  says: string;
  clause: string;
}

/** Terms of a promotion as a line states them. */
export interface Terms {
  said: Record<string, string | number | boolean>;
  prizes: PrizeTerms[];
  earning: Earning | null;
  one_prize_each: boolean;
}

/** What fell at a table: columns in order, with counts over the last throws of each span; null is all. */
export interface ThrowCounts {
  counted: number;
  version: number;
  spans: (number | null)[];
  throws: number[];
  columns: FellColumn[];
  hands: Hands | null;
}

/** What is thrown, with the names of the field and of the command in a line. */
export interface ThrowDrawn extends Throws {
  field: string;
  command: string;
  ready: string;
}

/** What an outcome does to a wager. `pays` are the odds of a win, `to` the number that a wager moves to. */
export interface ThrowEffect {
  then: "go" | "lose" | "sleep" | "stay" | "void" | "win";
  clause: string;
  pays?: string | null;
  to?: number | string | number[] | null;
}

/** The thrower, their title in the book, and the player who is offered the dice next. */
export interface Thrower {
  by: string | null;
  title: string | null;
  next: string | null;
}

/** What is thrown at a table: the faces, and the number of dice or coins. */
export interface Throws {
  faces: (number | string)[];
  count: number;
}

/** A title in the book, and the roles of the house that act under it. */
export interface Title {
  title: string;
  clause: string;
  rank: number;
  roles: ("dealer" | "inspector" | "manager" | "operator" | "player" | "supervisor")[];
}

/** A token without its secret. */
export interface Token {
  name: string;
  scopes: string[];
  since: string;
  until: string | null;
}

/** A new token, shown only once. */
export interface TokenIssued {
  token: string;
  name: string;
  scopes: string[];
  until: string | null;
}

/** A visit to a table: when it began and ended, and the chips taken there and brought back. */
export interface Visit {
  table: string;
  since: string;
  taken: string;
  brought: string;
  until: string | null;
}

/** The caller's latest visit to a table, result by result: the last of them, and the best and the lowest of all. */
export interface VisitCourse {
  counted: number;
  version: number;
  since: string;
  until: string | null;
  start: string;
  brought: string;
  chips: string;
  net: string;
  results: number;
  points: VisitPoint[];
  best: VisitPoint | null;
  lowest: VisitPoint | null;
}

/** A player's chips after a result, in hand and on the felt; `net` is what they won or lost since sitting down. */
export interface VisitPoint {
  version: number;
  at: string;
  round: number | null;
  faces: (number | string)[];
  call: string | null;
  chips: string;
  net: string;
}

/** One kind of wager in a period. */
export interface WagerFigures {
  wager: string;
  turnover: string;
  wagers: number;
  win: string;
}

/** A wager that awaits the house, and the line, with its words, that deals with it. */
export interface WaitingWager {
  kind: string;
  amount: string | null;
  line: Record<string, number | string | (number | string)[] | null>;
  words: string;
}

/** A witness of the house: the number of the last checkpoint handed over, and what is wrong. */
export interface WitnessState {
  witness: string;
  handed: number;
  trouble: string | null;
}

/** A checkpoint of another house as it was received, and when. */
export interface Witnessed {
  at: string;
  statement: string;
  signature: string;
}

/** A page of checkpoints of another house. */
export interface WitnessedPage {
  entries: Witnessed[];
  next: number | null;
}
