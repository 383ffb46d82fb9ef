---@meta trencavel
-- What `rules` offers to an expansion, for editors that read LuaCATS comments. Never run, never required.
-- Made from core/host/api.toml: UPDATE_GOLDEN=1 cargo test -p trencavel-host --test api

---@alias trencavel.Verb "draw" | "place" | "deploy" | "move" | "put" | "mark" | "return" | "capture" | "release" | "discard" | "complete" | "score" | "pay" | "appear" | "enter" | "eat" | "retreat" | "rest" | "queue" | "finish"

---@alias trencavel.EventKind "placed" | "extended" | "joined" | "changed" | "deployed" | "moved" | "tokens" | "marked" | "returned" | "captured" | "released" | "discarded" | "completed" | "scored" | "paid" | "appeared" | "entered" | "eaten" | "retreated" | "rested"

---@alias trencavel.Touch "joined" | "arrived" | "left"

---@alias trencavel.Step "begin" | "draw" | "place" | "after_place" | "action" | "extra" | "after_action" | "before_score" | "score" | "after_score" | "part_end" | "turn_end" | "last_rounds" | "final" | "core:begin" | "core:draw" | "core:place" | "core:after_place" | "core:action" | "core:extra" | "core:after_action" | "core:before_score" | "core:score" | "core:after_score" | "core:part_end" | "core:turn_end" | "core:last_rounds" | "core:final"

---@alias trencavel.Number "worth" | "strength"

---@alias trencavel.Class "follower" | "special" | "neutral"

---@alias trencavel.Side "north" | "east" | "south" | "west"

---@alias trencavel.Counter "tiles" | "segments" | "around"

---@alias trencavel.Refusal "core:no_neighbour" | "core:mismatch" | "core:taken" | "core:not_this_tile" | "core:no_seat" | "core:no_supply" | "core:not_now" | "core:no_corner" | "core:stays"

---@alias trencavel.Cause "scored" | "completed" | "final" | "eaten" | "action" | "turn" | string

---@alias trencavel.Option any

---A space of the table.
---@class trencavel.Space
---@field x integer to the east
---@field y integer to the south

---What the hook is about: figure keys speak of the figure in question, feature keys of its feature (for `deploy` and `move` the destination's).
---@class (exact) trencavel.SubjectTest
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.

---A feature.
---@class (exact) trencavel.FeatureTest
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.

---A figure, and what stands beside it.
---@class (exact) trencavel.FigureTest
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field has? trencavel.BesideTest A neutral figure stands beside it.

---Figures of a place, and how many of them; the name of a query instead means at least one.
---@class (exact) trencavel.FiguresTest
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field min? integer At least so many.
---@field max? integer At most so many.

---A tile on the table, or for `place` and `draw` the one that would be laid.
---@class (exact) trencavel.TileTest
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field mark? (string | string[]) It has one of these marks of its own; what its segments show are marks of features.
---@field edge? (string | string[]) A side shows one of these kinds of edges.
---@field tokens? (table<string, integer | trencavel.Range>) Tokens on it, by kind.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.

---An entry of the log; feature conditions inside are answered as the table is now.
---@class (exact) trencavel.EntryTest
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field elsewhere? boolean The tile of the entry is not the one just placed.
---@field same_kind? boolean The figure of the entry is of the kind in question.

---How many; a plain number means exactly so many.
---@class (exact) trencavel.Range
---@field min? integer At least so many.
---@field max? integer At most so many.

---What happened since the part or the turn began: keys are the words of events, true, false or what an entry must be.
---@class (exact) trencavel.LogTest
---@field acted? boolean The action of the step was taken: a choice that spends it.
---@field placed? (boolean | trencavel.EntryTest) A tile was placed.
---@field extended? (boolean | trencavel.EntryTest) A feature that was on the table grew by a tile.
---@field joined? (boolean | trencavel.EntryTest) Features that were apart became one.
---@field deployed? (boolean | trencavel.EntryTest) A figure came onto the board.
---@field moved? (boolean | trencavel.EntryTest) A figure went from one place of the board to another.
---@field tokens? (boolean | trencavel.EntryTest) Tokens were put down or taken up.
---@field marked? (boolean | trencavel.EntryTest) Symbols were set on a feature or taken off it.
---@field returned? (boolean | trencavel.EntryTest) A figure left the board for its owner's supply; the event tells where it stood.
---@field captured? (boolean | trencavel.EntryTest) A figure was taken off the board and is held.
---@field released? (boolean | trencavel.EntryTest) A held figure went back to its owner.
---@field discarded? (boolean | trencavel.EntryTest) A figure went out of play.
---@field completed? (boolean | trencavel.EntryTest) A feature was completed.
---@field scored? (boolean | trencavel.EntryTest) A feature was scored, with or without a winner; its figures are back by now.
---@field paid? (boolean | trencavel.EntryTest) Points were paid; `player` is who got them.
---@field appeared? (boolean | trencavel.EntryTest) A neutral figure came onto the board.
---@field entered? (boolean | trencavel.EntryTest) A neutral figure stepped onto a tile.
---@field eaten? (boolean | trencavel.EntryTest) A figure was eaten; the event tells where it stood.
---@field retreated? (boolean | trencavel.EntryTest) A neutral figure was put elsewhere and its walk ended.
---@field rested? (boolean | trencavel.EntryTest) A neutral figure left the board.

---What stands beside a figure.
---@class (exact) trencavel.BesideTest
---@field neutral? (string | string[]) Kinds of neutral figures.

---A seat of a feature: `seats = { name = { … } }`.
---@class (exact) trencavel.Seat
---@field role? string What a follower on it is called in conditions.
---@field claims? boolean A follower on it occupies the feature.
---@field scores? boolean A follower on it takes part when the feature is scored.
---@field corner? ("north-west" | "north-east" | "south-east" | "south-west") The corner of the tile where four tiles must meet in one feature of the kind; what stands there stands on no tile.

---How a neutral figure roams: from tile to neighbouring tile, eating what may be eaten.
---@class (exact) trencavel.Walk
---@field steps? integer Steps of a walk.
---@field revisit? boolean It may enter a tile twice in a walk.
---@field rounds? boolean Every player in turn makes a step; otherwise the active player makes all.

---What is counted: one of these.
---@class (exact) trencavel.Count
---@field mark? string Marks of the feature.
---@field borders? trencavel.FeatureTest Features of `kind` that border it and for which the other keys hold, each once.
---@field figures? trencavel.FigureTest Figures on it; `has` is not known here.
---@field features? trencavel.FeatureTest Features of the whole table.

---What is chosen from: one of these, or `"players"`.
---@class (exact) trencavel.Options
---@field figures? (trencavel.SubjectTest | string) Figures on the board.
---@field tiles? (trencavel.TileTest | string) Tiles on the table.
---@field segments? (trencavel.SubjectTest | string) Segments on the table, with the feature they belong to.
---@field held? (trencavel.SubjectTest | string) Figures that players hold.
---@field words? (string | string[]) Words.
---@field spaces? integer Free spaces with at least so many neighbours, 1 to 4.
---@field from? integer Numbers from this one …
---@field to? integer … to this one.

---Joined segments. Equal if they are the same feature.
---@class (exact) trencavel.Feature
---@field kind string Its kind, without a prefix.
---@field completed boolean It was completed.
---@field open boolean Open sides or ends are left.
---@field closed boolean None are left.
---@field tiles integer On how many tiles it is.
---@field size integer How many segments it has.
---@field id integer For `data` of a question; `rules.feature(id)` gives the handle back.
---@field marks fun(self: trencavel.Feature, mark: string): integer How many of this mark it has.
---@field figures fun(self: trencavel.Feature, query?: string): fun(): trencavel.Figure? Its figures for which the query holds, in canonical order, for a `for` loop.
---@field has fun(self: trencavel.Feature, query?: string): boolean Whether there is one.
---@field is fun(self: trencavel.Feature, query: string): boolean Whether the query holds of the feature itself.
---@field linked fun(self: trencavel.Feature, kind: string): fun(): trencavel.Feature? Features of the kind that it meets at a point of a tile, each once.
---@field count_linked fun(self: trencavel.Feature, kind: string): integer How many.
---@field meetings fun(self: trencavel.Feature, kind: string): fun(): trencavel.Feature? The same, once for each meeting.
---@field beside fun(self: trencavel.Feature, kind: string): fun(): trencavel.Feature? Features of the kind on the tiles it is on, each once.
---@field borders fun(self: trencavel.Feature, kind: string): fun(): trencavel.Feature? Features of the kind that it borders (cities of a field), each once.

---A piece. Equal if they are the same piece.
---@class (exact) trencavel.Figure
---@field kind string Its kind, without a prefix.
---@field class trencavel.Class Its class.
---@field owner integer The player it belongs to.
---@field feature trencavel.Feature The feature it stands on.
---@field segment trencavel.Segment The segment it stands on.
---@field tile trencavel.Tile The tile it stands on.
---@field role string The role its seat gives.
---@field seat string Its seat.
---@field holder integer The player who holds it, off the board.
---@field id integer For `data` of a question; `rules.figure(id)` gives the handle back.

---A placed tile.
---@class (exact) trencavel.Tile
---@field x integer Its column, to the east.
---@field y integer Its row, to the south.
---@field id string The id of its design, without a prefix.
---@field rotation integer Quarter turns clockwise.
---@field edge fun(self: trencavel.Tile, side: trencavel.Side): string The kind of edge it shows to a side, as it lies.
---@field marks fun(self: trencavel.Tile, mark: string): integer How many of this mark are printed on the tile itself.
---@field figures fun(self: trencavel.Tile, query?: string): fun(): trencavel.Figure? The figures that stand on it and for which the query holds.
---@field has fun(self: trencavel.Tile, query?: string): boolean Whether there is one.
---@field in_line fun(self: trencavel.Tile, far: integer, query?: string): fun(): trencavel.Figure? Figures on it and in the four straight lines from it, so many spaces far, whatever lies between, for which the query holds.
---@field segments fun(self: trencavel.Tile, kind?: string): fun(): trencavel.Segment? Its segments, of the kind if one is given, in printed order.

---A part of a feature on one tile.
---@class (exact) trencavel.Segment
---@field kind string The kind of its feature.
---@field name string Its name on the tile.
---@field tile trencavel.Tile Its tile.
---@field feature trencavel.Feature The feature it is part of.
---@field id integer For `data` of a question; `rules.segment(id)` gives the handle back.
---@field marks fun(self: trencavel.Segment, mark: string): integer How many of this mark are printed on it.
---@field meets fun(self: trencavel.Segment, feature: trencavel.Feature | integer): boolean Whether it meets the feature at a point of the tile.

---What happened. What an event does not have is nil.
---@class (exact) trencavel.Event
---@field kind trencavel.EventKind What.
---@field feature trencavel.Feature The feature, as it is now.
---@field tile trencavel.Tile The tile.
---@field figure trencavel.Figure The figure, as it is now.
---@field figure_kind string Its kind.
---@field player integer Who did it, whose figure it was, or who was paid.
---@field cause string Why.
---@field amount integer Points, or how many.
---@field seat string The seat the figure had or has.
---@field by (table<trencavel.Touch, true?>) Of `changed`: how the feature was touched.
---@field all fun(self: trencavel.Event): fun(): trencavel.Event? With `each = false`: the events of the batch.

---What is about to happen, or would be chosen: the argument of `test`, `say` and of a `replace`.
---@class (exact) trencavel.Case
---@field verb trencavel.Verb What.
---@field figure trencavel.Figure The figure it is about; a choice of any figure of a kind has none.
---@field kind string The kind of figure.
---@field feature trencavel.Feature The feature; for `deploy` and `move` the destination's.
---@field tile trencavel.Tile The tile.
---@field player integer Who acts, or is paid.
---@field cause string Why.
---@field amount integer Points, or how many.
---@field x integer Of `place`: the column.
---@field y integer Of `place`: the row.
---@field rotation integer Of `place`: quarter turns.
---@field def string Of `place` and `draw`: the design.
---@field edge fun(self: trencavel.Case, side: trencavel.Side): string? Of `place`: the kind of edge that the tile would show to a side.
---@field cancel fun(self: trencavel.Case) In a `replace`: it does not happen.

---When a step begins.
---@class (exact) trencavel.Moment
---@field player integer Whose step it is.
---@field tile trencavel.Tile The tile placed in this part.

---The line of an award.
---@class (exact) trencavel.Entry
---@field add fun(self: trencavel.Entry, label: string, count: integer, unit: integer) Adds count × unit points, with a label for the ledger.
---@field worth fun(self: trencavel.Entry, feature: trencavel.Feature): integer Adds what the feature the figure stands on is worth, with all its items, and gives it.

---What `options` as a function adds to.
---@class (exact) trencavel.OptionList
---@field add fun(self: trencavel.OptionList, option: trencavel.Figure | trencavel.Tile | trencavel.Segment | trencavel.Space | integer) Offers this.

---A tile onto the table.
---@class (exact) trencavel.emit.place
---@field def string The design, by its id.
---@field at trencavel.Space The space.
---@field rotation? integer Quarter turns clockwise.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A figure from supply to the board.
---@class (exact) trencavel.emit.deploy
---@field to (trencavel.Segment | trencavel.Tile | trencavel.Figure) Where to.
---@field kind? string Any figure of the kind from the player's supply; this or `figure` is needed.
---@field figure? trencavel.Figure This figure.
---@field seat? string The seat on the segment.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A figure from one place of the board to another.
---@class (exact) trencavel.emit.move
---@field figure trencavel.Figure Which.
---@field to (trencavel.Segment | trencavel.Tile | trencavel.Figure) Where to.
---@field seat? string The seat on the segment.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---Tokens onto a tile, before a player or among those of the game; a count never falls below 0.
---@class (exact) trencavel.emit.put
---@field token string The kind.
---@field amount integer How many; negative: away.
---@field to? (trencavel.Tile | integer) The tile, or the number of the player.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---Symbols onto a feature that count like printed ones, also when features join; a count never falls below 0.
---@class (exact) trencavel.emit.mark
---@field feature trencavel.Feature Which; of a kind the mark was declared for.
---@field mark string The mark.
---@field amount? integer How many; negative: off it.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A figure back to its owner's supply.
---@class (exact) trencavel.emit.return
---@field figure trencavel.Figure Which.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A figure off the board, held by `player` from then on.
---@class (exact) trencavel.emit.capture
---@field figure trencavel.Figure Which.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A held figure back to its owner's supply.
---@class (exact) trencavel.emit.release
---@field figure trencavel.Figure Which.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A figure out of play.
---@class (exact) trencavel.emit.discard
---@field figure trencavel.Figure Which.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A closed feature becomes a completed one. The engine emits it at `score`.
---@class (exact) trencavel.emit.complete
---@field feature trencavel.Feature Which.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A feature is scored for the majority on it; unless the cause is `final` its figures return.
---@class (exact) trencavel.emit.score
---@field feature trencavel.Feature Which.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---Points for a player, a line in the ledger.
---@class (exact) trencavel.emit.pay
---@field player integer Who is paid.
---@field points integer How many; negative: taken.
---@field feature? trencavel.Feature The feature it is about.
---@field cause? trencavel.Cause why

---A neutral figure comes onto the board, or is put where its rules say.
---@class (exact) trencavel.emit.appear
---@field figure? trencavel.Figure Which; or `neutral`, the name of its kind.
---@field neutral? string the name of its kind
---@field to (trencavel.Tile | trencavel.Figure | trencavel.Segment) Where.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A neutral figure steps onto a tile and eats there.
---@class (exact) trencavel.emit.enter
---@field figure? trencavel.Figure Which; or `neutral`, the name of its kind.
---@field neutral? string the name of its kind
---@field to (trencavel.Tile | trencavel.Figure | trencavel.Segment) The tile.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A figure is eaten by a neutral figure and goes back to supply.
---@class (exact) trencavel.emit.eat
---@field figure trencavel.Figure Which.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A neutral figure is put elsewhere; its walk ends.
---@class (exact) trencavel.emit.retreat
---@field figure? trencavel.Figure Which; or `neutral`, the name of its kind.
---@field neutral? string the name of its kind
---@field to (trencavel.Tile | trencavel.Figure | trencavel.Segment) Where.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A neutral figure leaves the board; its walk ends.
---@class (exact) trencavel.emit.rest
---@field figure? trencavel.Figure Which; or `neutral`, the name of its kind.
---@field neutral? string the name of its kind
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---Adds to the agenda: the step `step`, the walk of the neutral `figure`, or with neither a further part of this turn.
---@class (exact) trencavel.emit.queue
---@field step? string A step, own or the engine's.
---@field figure? trencavel.Figure Which neutral figure walks; or `neutral`, the name of its kind.
---@field neutral? string the name of its kind
---@field amount? integer Of a further part: 1 means at most one in a turn, whoever asks.
---@field now? boolean Of a further part: it begins before what is left of the current one; what both closed is scored in it.
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---The game ends: final scoring comes next.
---@class (exact) trencavel.emit.finish
---@field player? integer who acts, else who decides now
---@field cause? trencavel.Cause why

---A kind of edge: what a side of a tile shows.
---@class (exact) trencavel.declare.edge
---@field matches? "all" Fits beside every kind of edge.

---A kind of feature, with the seats on its segments.
---@class (exact) trencavel.declare.feature
---@field closes? ("sides" | "around" | "never") What closes it: no open side or half-edge is left, the spaces around its tile are filled, or nothing.
---@field around? "ring" With `closes = "around"`: which spaces must be filled.
---@field completes? boolean A closed one is completed and scored; a field closes and is not.
---@field seats? (table<string, trencavel.Seat>) Where figures may stand, by name.

---A symbol that tiles print, with a count.
---@class (exact) trencavel.declare.mark
---@field on? (string | string[]) Feature kinds whose segments may have it, and `"tile"` for a mark of the tile itself, which `tile = { mark = … }` asks for.

---A kind of figure that players own.
---@class (exact) trencavel.declare.figure
---@field per_player? integer How many each player has, 0 to 50.
---@field class? ("follower" | "special") A follower claims and counts for majority, a special figure does neither.
---@field seats? (string | string[]) Seats it may stand on; a feature's usual seat has the feature's name.
---@field strength? integer What it counts for majority before hooks.
---@field leaves? (trencavel.Cause | trencavel.Cause[]) Why it may leave its seat; for any other cause it stays (`core:stays`).
---@field at? (trencavel.Step | false) The step in which it is deployed, of which only `action` opens so far; `false`: where a step or an offer says so.
---@field spends? boolean Deploying it is the action of the step.

---A kind of figure that nobody owns.
---@class (exact) trencavel.declare.neutral
---@field count? integer How many there are.
---@field seats? (string | string[]) Seats it may stand on.
---@field strength? integer What it counts for majority before hooks.
---@field leaves? (trencavel.Cause | trencavel.Cause[]) Why it may leave its seat.
---@field walk? trencavel.Walk How it roams once its walk is queued.

---A kind of counted thing: on tiles, or before players.
---@class (exact) trencavel.declare.token
---@field per_player? (integer | integer[]) How many each player has at first; a list: by the number of players, its last entry for more.

---A condition with a name; its fields are the condition.
---@class (exact) trencavel.declare.query
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.

---An addition to a set-valued field of a declaration, own or foreign; its id is the id of that declaration.
---@class (exact) trencavel.declare.extend
---@field seats? (string | string[] | table<string, trencavel.Seat>) Of a figure: further seats. Of a feature: new seats.
---@field leaves? (trencavel.Cause | trencavel.Cause[]) Of a figure: further causes for which it leaves.
---@field on? (string | string[]) Of a mark: further places.

---Further actions in a step.
---@class (exact) trencavel.declare.offer
---@field at? (trencavel.Step | string | "own_turn") The step: `action` or a declared one, others open no decision; `own_turn`: every decision of the turn's player.
---@field spends? boolean It takes the place of the step's action; `false`: the step stays open behind it.
---@field must? boolean While it is legal, nothing else is.
---@field options? (trencavel.Options | "players" | fun(o: trencavel.OptionList, data: integer[])) What is chosen from.
---@field does? trencavel.Verb The verb that choosing an option stands for; options it would not be legal for are left out.
---@field neutral? string With `does`: the neutral figure that goes there.
---@field deploys? string With `does = "deploy"`: the kind of figure.
---@field cause? trencavel.Cause With `does`: its cause.
---@field emits? (trencavel.Verb | trencavel.Verb[]) Verbs that `run` may emit.
---@field causes? (string | string[]) Causes it brings into the game.
---@field run? fun(option: trencavel.Option) Called with what was chosen, after `does`; needed where `does` is missing.
---@field say? string In words, for people.
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.
---@field where? (trencavel.SubjectTest | string) What must hold.
---@field unless? (trencavel.SubjectTest | string) What must not hold.

---A named refusal of candidates and intents.
---@class (exact) trencavel.declare.forbid
---@field on (trencavel.Verb | trencavel.Verb[]) What it refuses. For `deploy` and `move`, `feature` and `tile` are the destination's.
---@field test? fun(case: trencavel.Case): boolean? Asked last, if every condition holds.
---@field stops? ("all" | "offers") `"offers"`: refuses what players choose, not what rules do.
---@field say? (string | fun(case: trencavel.Case): string) Why, in a sentence without a full stop.
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.
---@field where? (trencavel.SubjectTest | string) What must hold.
---@field unless? (trencavel.SubjectTest | string) What must not hold.

---The lifting of a refusal or void, which its id names.
---@class (exact) trencavel.declare.waive
---@field on? (trencavel.Verb | trencavel.Verb[]) For which verbs it is lifted.
---@field say? string Why, for people.
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.
---@field where? (trencavel.SubjectTest | string) What must hold.
---@field unless? (trencavel.SubjectTest | string) What must not hold.

---Things that count in a number: count × unit.
---@class (exact) trencavel.declare.items
---@field of (string | string[]) Feature kinds whose worth it is about, `worth` for every kind, or `strength`.
---@field tag? string What sort of thing it is; rates and voids go by it. The base game has `per_unit`, `around` and `per_city`.
---@field count? (trencavel.Counter | trencavel.Count | integer | fun(feature: trencavel.Feature, player: integer, figure: trencavel.Figure): integer) How many.
---@field unit? integer Points each.
---@field say? string For the ledger.
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.
---@field where? (trencavel.SubjectTest | string) What must hold.
---@field unless? (trencavel.SubjectTest | string) What must not hold.

---A change of the unit of items.
---@class (exact) trencavel.declare.rate
---@field of (string | string[]) As of `items`.
---@field tag? string The items it concerns; some `items` of the game must have this tag.
---@field plus? integer Added to the unit.
---@field times? (integer | integer[]) A factor up to 100, or two numbers as a fraction: `{ 1, 2 }` is a half.
---@field round? ("up" | "down") How a fraction is rounded.
---@field say? string For the ledger.
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.
---@field where? (trencavel.SubjectTest | string) What must hold.
---@field unless? (trencavel.SubjectTest | string) What must not hold.

---A bound of a number.
---@class (exact) trencavel.declare.cap
---@field of (string | string[]) As of `items`.
---@field min? integer At least.
---@field max? integer At most.
---@field say? string For people.
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.
---@field where? (trencavel.SubjectTest | string) What must hold.
---@field unless? (trencavel.SubjectTest | string) What must not hold.

---A named reason why a number, or its items of a tag, is nothing.
---@class (exact) trencavel.declare.void
---@field of (string | string[]) As of `items`.
---@field tag? string The items that count for nothing.
---@field say? string For the ledger.
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.
---@field where? (trencavel.SubjectTest | string) What must hold.
---@field unless? (trencavel.SubjectTest | string) What must not hold.

---A value that takes the place of a number.
---@class (exact) trencavel.declare.set
---@field of (string | string[]) As of `items`.
---@field to? integer The value.
---@field say? string For the ledger.
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.
---@field where? (trencavel.SubjectTest | string) What must hold.
---@field unless? (trencavel.SubjectTest | string) What must not hold.

---A line of its own in the ledger, for figures or players, at a moment of scoring.
---@class (exact) trencavel.declare.award
---@field at? trencavel.Step The moment.
---@field each? ("figure" | "player") For whom: every figure for which the conditions hold, or every player (not at `score`).
---@field to? "owner" Who is paid.
---@field points? integer Points.
---@field count? (trencavel.Counter | trencavel.Count | integer) Further points: count × unit, of the feature the figure stands on.
---@field unit? integer Points each.
---@field items? fun(figure: trencavel.Figure, out: trencavel.Entry) | fun(player: integer, out: trencavel.Entry) Further points, counted by a function; with `each = "player"` it is given the player.
---@field once? (("owner" | "feature")[]) `feature` among them: several figures of one owner on one feature count once.
---@field say? string For the ledger.
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.
---@field where? (trencavel.SubjectTest | string) What must hold.
---@field unless? (trencavel.SubjectTest | string) What must not hold.

---Cancels what is about to happen; what it emits happens instead.
---@class (exact) trencavel.declare.replace
---@field on (trencavel.Verb | trencavel.Verb[]) What it is about.
---@field emits? (trencavel.Verb | trencavel.Verb[]) Verbs that `run` may emit.
---@field causes? (string | string[]) Causes it brings into the game.
---@field run fun(case: trencavel.Case) Called for each intent for which the conditions hold.
---@field say? string For people.
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.
---@field where? (trencavel.SubjectTest | string) What must hold.
---@field unless? (trencavel.SubjectTest | string) What must not hold.

---A consequence of what happened.
---@class (exact) trencavel.declare.react
---@field on (trencavel.EventKind | trencavel.EventKind[]) What happened.
---@field each? boolean `false`: called once for the batch, with `event:all()`.
---@field emits? (trencavel.Verb | trencavel.Verb[]) Verbs that `run` may emit; anything else is an error.
---@field causes? (string | string[]) Causes it brings into the game.
---@field run fun(event: trencavel.Event) Called with what happened.
---@field say? string For people.
---@field any? ((table | string)[]) At least one of these holds: tables of the same keys, or names of queries.
---@field none? (table | string) This does not hold.
---@field figure? (string | string[] | trencavel.FigureTest) Its kind, or more about it.
---@field class? (trencavel.Class | trencavel.Class[]) Its class.
---@field role? (string | string[]) The role its seat gives; only followers have one. The base game: `robber`, `knight`, `monk`, `farmer`.
---@field seat? (string | string[]) The seat it is on, or would go to.
---@field owner? ("own" | "other" | "nobody" | "active") Whose it is: of the player in question, of another, of nobody, of the player whose turn it is.
---@field cause? (trencavel.Cause | trencavel.Cause[]) Why it happens or happened.
---@field kind? (string | string[]) Its kind.
---@field mark? (string | string[]) It has one of these marks.
---@field open? boolean Open sides or ends are left.
---@field closed? boolean None are left.
---@field completed? boolean It was completed.
---@field closing? boolean It is closed, would complete and has not yet.
---@field occupied? boolean A follower stands on a claiming seat of it.
---@field tiles? (integer | trencavel.Range) On how many tiles it is.
---@field placed_mark? (string | string[]) A segment of the tile just placed with this mark is part of it.
---@field has? (trencavel.FiguresTest | string) Such figures stand on it.
---@field lacks? (trencavel.FiguresTest | string) They do not.
---@field feature? (string | string[] | trencavel.FeatureTest) The kind of the feature in question, or more about it.
---@field tile? (trencavel.TileTest | string) The tile in question.
---@field placed? (trencavel.TileTest | string) The tile just placed.
---@field why? (trencavel.Cause | trencavel.Cause[]) What a number or scoring is asked for: `completed`, `final`.
---@field by? (trencavel.Touch | trencavel.Touch[]) With `changed`: how the subject was touched.
---@field awake? (string | string[]) A neutral figure of these kinds is on the board.
---@field asleep? (string | string[]) None of them is.
---@field joins? (string | string[]) With `place`: the tile would go on with a feature of these kinds.
---@field score? (integer | trencavel.Range) Points of the player in question.
---@field holds? (table<string, integer | trencavel.Range>) Tokens before the player in question, by kind.
---@field elsewhere? boolean The tile in question is not the one just placed.
---@field held? boolean The figure in question is held by a player.
---@field corner? boolean The seat is one where four tiles meet.
---@field part? trencavel.LogTest What happened in this part.
---@field turn? trencavel.LogTest What happened in this turn.
---@field where? (trencavel.SubjectTest | string) What must hold.
---@field unless? (trencavel.SubjectTest | string) What must not hold.

---A step of the turn, after or before one of the engine's, or only where it is queued.
---@class (exact) trencavel.declare.step
---@field after? trencavel.Step The engine's step it comes after, with or without `core:`.
---@field before? trencavel.Step The engine's step it comes before. With neither, it is only entered by `queue`.
---@field where? (trencavel.SubjectTest | string) What must hold; the tile is the one placed in this part.
---@field unless? (trencavel.SubjectTest | string) What must not hold.
---@field figure? (string | string[]) Kinds of figures that may be deployed in it.
---@field run? fun(moment: trencavel.Moment) Called when the step begins.
---@field emits? (trencavel.Verb | trencavel.Verb[]) Verbs that `run` may emit.
---@field causes? (string | string[]) Causes it brings into the game.
---@field say? string For people.

---A question: what may be answered, and what an answer leads to. `rules.ask` asks it.
---@class (exact) trencavel.declare.resolve
---@field options? (trencavel.Options | "players" | fun(o: trencavel.OptionList, data: integer[])) What may be answered.
---@field pass? boolean The player may decline: `run` is called with nil.
---@field does? trencavel.Verb The verb that an answer stands for; options it would not be legal for are left out.
---@field neutral? string With `does`: the neutral figure that goes there.
---@field deploys? string With `does = "deploy"`: the kind of figure.
---@field cause? trencavel.Cause With `does`: its cause.
---@field emits? (trencavel.Verb | trencavel.Verb[]) Verbs that `run` may emit.
---@field causes? (string | string[]) Causes it brings into the game.
---@field run? fun(option: trencavel.Option, data: integer[]) Called with the answer and what the asker gave along, after `does`; needed where `does` is missing.
---@field say? string The question, for people.

---A text for people about something of the expansion.
---@class (exact) trencavel.declare.describe
---@field text string The sentence.
---@field figure? string The figure it is about.
---@field feature? string The kind of feature it is about.
---@field weight? integer Not used for texts.

---A hint for bots; it never touches the rules.
---@class (exact) trencavel.declare.advise
---@field weight? integer How good it is to have.
---@field figure? string The figure it is about.
---@field feature? string The kind of feature it is about.
---@field text? string Why.

---What an expansion declares with, asks and reads.
---@class (exact) trencavel.rules
---@field options table<string, any> The options of the manifest with the values of this game.
---@field players integer How many players there are.
---@field player integer The player whose turn it is.
---@field decider integer The player who decides now: in a question not always the one whose turn it is.
rules = {}

---A kind of edge: what a side of a tile shows.
---@param id string
---@return fun(fields: trencavel.declare.edge)
---@overload fun(id: string, fields: trencavel.declare.edge)
function rules.edge(id) end

---A kind of feature, with the seats on its segments.
---@param id string
---@return fun(fields: trencavel.declare.feature)
---@overload fun(id: string, fields: trencavel.declare.feature)
---@overload fun(id: integer): trencavel.Feature?
function rules.feature(id) end

---A symbol that tiles print, with a count.
---@param id string
---@return fun(fields: trencavel.declare.mark)
---@overload fun(id: string, fields: trencavel.declare.mark)
function rules.mark(id) end

---A kind of figure that players own.
---@param id string
---@return fun(fields: trencavel.declare.figure)
---@overload fun(id: string, fields: trencavel.declare.figure)
---@overload fun(id: integer): trencavel.Figure?
function rules.figure(id) end

---A kind of figure that nobody owns.
---@param id string
---@return fun(fields: trencavel.declare.neutral)
---@overload fun(id: string, fields: trencavel.declare.neutral)
function rules.neutral(id) end

---A kind of counted thing: on tiles, or before players.
---@param id string
---@return fun(fields: trencavel.declare.token)
---@overload fun(id: string, fields: trencavel.declare.token)
function rules.token(id) end

---A condition with a name; its fields are the condition.
---@param id string
---@return fun(fields: trencavel.declare.query): string
---@overload fun(id: string, fields: trencavel.declare.query): string
function rules.query(id) end

---An addition to a set-valued field of a declaration, own or foreign; its id is the id of that declaration.
---@param id string
---@return fun(fields: trencavel.declare.extend)
---@overload fun(id: string, fields: trencavel.declare.extend)
function rules.extend(id) end

---Further actions in a step.
---@param id string
---@return fun(fields: trencavel.declare.offer)
---@overload fun(id: string, fields: trencavel.declare.offer)
function rules.offer(id) end

---A named refusal of candidates and intents.
---@param id string
---@return fun(fields: trencavel.declare.forbid)
---@overload fun(id: string, fields: trencavel.declare.forbid)
function rules.forbid(id) end

---The lifting of a refusal or void, which its id names.
---@param id string
---@return fun(fields: trencavel.declare.waive)
---@overload fun(id: string, fields: trencavel.declare.waive)
function rules.waive(id) end

---Things that count in a number: count × unit.
---@param id string
---@return fun(fields: trencavel.declare.items)
---@overload fun(id: string, fields: trencavel.declare.items)
function rules.items(id) end

---A change of the unit of items.
---@param id string
---@return fun(fields: trencavel.declare.rate)
---@overload fun(id: string, fields: trencavel.declare.rate)
function rules.rate(id) end

---A bound of a number.
---@param id string
---@return fun(fields: trencavel.declare.cap)
---@overload fun(id: string, fields: trencavel.declare.cap)
function rules.cap(id) end

---A named reason why a number, or its items of a tag, is nothing.
---@param id string
---@return fun(fields: trencavel.declare.void)
---@overload fun(id: string, fields: trencavel.declare.void)
function rules.void(id) end

---A value that takes the place of a number.
---@param id string
---@return fun(fields: trencavel.declare.set)
---@overload fun(id: string, fields: trencavel.declare.set)
function rules.set(id) end

---A line of its own in the ledger, for figures or players, at a moment of scoring.
---@param id string
---@return fun(fields: trencavel.declare.award)
---@overload fun(id: string, fields: trencavel.declare.award)
function rules.award(id) end

---Cancels what is about to happen; what it emits happens instead.
---@param id string
---@return fun(fields: trencavel.declare.replace)
---@overload fun(id: string, fields: trencavel.declare.replace)
function rules.replace(id) end

---A consequence of what happened.
---@param id string
---@return fun(fields: trencavel.declare.react)
---@overload fun(id: string, fields: trencavel.declare.react)
function rules.react(id) end

---A step of the turn, after or before one of the engine's, or only where it is queued.
---@param id string
---@return fun(fields: trencavel.declare.step)
---@overload fun(id: string, fields: trencavel.declare.step)
function rules.step(id) end

---A question: what may be answered, and what an answer leads to. `rules.ask` asks it.
---@param id string
---@return fun(fields: trencavel.declare.resolve)
---@overload fun(id: string, fields: trencavel.declare.resolve)
function rules.resolve(id) end

---A text for people about something of the expansion.
---@param id string
---@return fun(fields: trencavel.declare.describe)
---@overload fun(id: string, fields: trencavel.declare.describe)
function rules.describe(id) end

---A hint for bots; it never touches the rules.
---@param id string
---@return fun(fields: trencavel.declare.advise)
---@overload fun(id: string, fields: trencavel.declare.advise)
function rules.advise(id) end

---Asks for something to happen with the next batch. The hook must name the verb in `emits`.
---@param verb trencavel.Verb
---@param fields table
---@overload fun(verb: "place", fields: trencavel.emit.place)
---@overload fun(verb: "deploy", fields: trencavel.emit.deploy)
---@overload fun(verb: "move", fields: trencavel.emit.move)
---@overload fun(verb: "put", fields: trencavel.emit.put)
---@overload fun(verb: "mark", fields: trencavel.emit.mark)
---@overload fun(verb: "return", fields: trencavel.emit.return)
---@overload fun(verb: "capture", fields: trencavel.emit.capture)
---@overload fun(verb: "release", fields: trencavel.emit.release)
---@overload fun(verb: "discard", fields: trencavel.emit.discard)
---@overload fun(verb: "complete", fields: trencavel.emit.complete)
---@overload fun(verb: "score", fields: trencavel.emit.score)
---@overload fun(verb: "pay", fields: trencavel.emit.pay)
---@overload fun(verb: "appear", fields: trencavel.emit.appear)
---@overload fun(verb: "enter", fields: trencavel.emit.enter)
---@overload fun(verb: "eat", fields: trencavel.emit.eat)
---@overload fun(verb: "retreat", fields: trencavel.emit.retreat)
---@overload fun(verb: "rest", fields: trencavel.emit.rest)
---@overload fun(verb: "queue", fields: trencavel.emit.queue)
---@overload fun(verb: "finish", fields: trencavel.emit.finish)
function rules.emit(verb, fields) end

---What is asked.
---@class (exact) trencavel.Question
---@field to string The `resolve` that takes the answer.
---@field who? integer The player.
---@field data? integer[] At most four numbers; handles have an `id`.

---Asks a player something: `to`, the `resolve`; `who`, else who decides now; `data`, at most four numbers that its functions are given.
---@param fields trencavel.Question
function rules.ask(fields) end

---A player's points.
---@param player integer
---@return integer
function rules.score(player) end

---How many figures of a kind a player has in supply.
---@param player integer
---@param figure string
---@return integer
function rules.supply(player, figure) end

---The figures on the board for which the query holds.
---@param query? string
---@return fun(): trencavel.Figure?
function rules.figures(query) end

---The tiles on the table, those with the mark if one is given.
---@param mark? string
---@return fun(): trencavel.Tile?
function rules.tiles(mark) end

---The tile on a space, if one lies there.
---@param x integer
---@param y integer
---@return trencavel.Tile?
function rules.tile_at(x, y) end

---The segment with this id, which came back in `data`. For figures and features it is `rules.figure(id)` and `rules.feature(id)`.
---@param id integer
---@return trencavel.Segment?
function rules.segment(id) end

---How many tokens of a kind lie before a player, on a tile, or with neither: with nobody.
---@param token string
---@param place? integer | trencavel.Tile
---@return integer
function rules.count(token, place) end

---The figures that a player holds.
---@param player integer
---@return fun(): trencavel.Figure?
function rules.held(player) end

---Whether an expansion is in the game; it must be named in the manifest.
---@param id string
---@return boolean
function rules.active(id) end

---Calls the function if the expansion is in the game, wherever in the file it stands; it must be named in the manifest.
---@param id string
---@param run fun()
function rules.when(id, run) end

---The entries of a table in the order of their keys.
---@generic K, V
---@param list table<K, V>
---@return fun(): K, V
function sorted_pairs(list) end
