/* Finding the row of isa.def for a mnemonic.
 *
 * `ld.global.nc.v4.f32` is taken apart at its dots: parts that the family allows as modifiers are
 * set aside, the rest ("ld.f32") is the key. A part is a modifier only where its family says so,
 * because the same word can be one thing here and another there: `.and` combines predicates in
 * setp and is the operation in atom. */
#include "sandbox/simgpu/program/isa.h"
#include "sandbox/simgpu/program/matrix.h"
#include "sandbox/simgpu/program/video.h"

#include <stdio.h>
#include <string.h>

enum modifier_group {
    ROUNDING = 1 << 0,
    FTZ = 1 << 1,
    SAT = 1 << 2,
    APPROX = 1 << 3,
    SPACE = 1 << 4,
    ORDER = 1 << 5,
    SCOPE = 1 << 6,
    VECTOR = 1 << 7,
    CACHE = 1 << 8,
    COMPARE = 1 << 9,
    BOOLEAN = 1 << 10,
    UNIFORM = 1 << 11,
    ALIGNED = 1 << 12,
    CTA = 1 << 13,
    EXTRA = 1 << 14,
    POLICY = 1 << 15,
    MATRIX = 1 << 24,
    VIDEO = 1 << 16,
    SCALE = 1 << 17,
    SHIFT = 1 << 18,
    TEXTURE = 1 << 19,
};

static const struct {
    const char *base;
    unsigned allowed;
} families[] = {
#define FAMILY(base, allowed) {base, allowed},
#include "sandbox/simgpu/program/isa.def"
};

const struct isa_operation isa_operations[OP_COUNT] = {
#define OPERATION(op, decoder, results, definedness, effect, traits)                               \
    [OP_##op] = {RESULTS_##results, DEFINED_##definedness, EFFECT_##effect, traits},
#include "sandbox/simgpu/program/isa.def"
};

const struct isa_form isa_forms[] = {
#define FORM(key, op, operands, flow, cost, fast, general)                                         \
    {key, operands, OP_##op, FLOW_##flow, COST_##cost},
#include "sandbox/simgpu/program/isa.def"
};
const size_t isa_form_count = sizeof isa_forms / sizeof isa_forms[0];
_Static_assert(OP_COUNT <= UINT8_MAX, "a form keeps its operation in a byte");
_Static_assert(sizeof isa_forms / sizeof isa_forms[0] <= UINT16_MAX, "as an instruction its form");

/* "rni" and its kin round to a whole number: integral, with the mode of the same letter. */
static const struct {
    const char *word;
    uint32_t group;
    uint8_t value;
} words[] = {
    {"rn", ROUNDING, ROUND_RN},
    {"rz", ROUNDING, ROUND_RZ},
    {"rm", ROUNDING, ROUND_RM},
    {"rp", ROUNDING, ROUND_RP},
    {"rna", ROUNDING, ROUND_RNA},
    {"rni", ROUNDING, 16 + ROUND_RN},
    {"rzi", ROUNDING, 16 + ROUND_RZ},
    {"rmi", ROUNDING, 16 + ROUND_RM},
    {"rpi", ROUNDING, 16 + ROUND_RP},
    {"ftz", FTZ, 1},
    {"sat", SAT, 1},
    {"approx", APPROX, 1},
    {"full", APPROX, 1},
    {"global", SPACE, SPACE_GLOBAL},
    {"shared", SPACE, SPACE_SHARED},
    {"shared::cta", SPACE, SPACE_SHARED},
    {"shared::cluster", SPACE, SPACE_SHARED},
    {"local", SPACE, SPACE_LOCAL},
    {"const", SPACE, SPACE_CONST},
    {"param", SPACE, SPACE_PARAM},
    {"param::entry", SPACE, SPACE_PARAM},
    {"param::func", SPACE, SPACE_PARAM},
    {"weak", ORDER, ORDER_WEAK},
    {"volatile", ORDER, ORDER_VOLATILE},
    {"mmio", ORDER, ORDER_VOLATILE},
    {"relaxed", ORDER, ORDER_RELAXED},
    {"acquire", ORDER, ORDER_ACQUIRE},
    {"release", ORDER, ORDER_RELEASE},
    {"acq_rel", ORDER, ORDER_ACQ_REL},
    {"sc", ORDER, ORDER_SC},
    {"cta", SCOPE, SCOPE_CTA},
    {"cluster", SCOPE, SCOPE_CLUSTER},
    {"gpu", SCOPE, SCOPE_GPU},
    {"sys", SCOPE, SCOPE_SYS},
    {"v2", VECTOR, 2},
    {"v4", VECTOR, 4},
    {"v8", VECTOR, 8},
    {"ca", CACHE, 0},
    {"cg", CACHE, EXTRA_PAST_L1},
    {"cs", CACHE, 0},
    {"lu", CACHE, 0},
    {"cv", CACHE, EXTRA_PAST_L1},
    {"wb", CACHE, 0},
    {"wt", CACHE, 0},
    {"nc", CACHE, 0},
    {"noftz", CACHE, 0},
    {"L1::evict_normal", CACHE, 0},
    {"L1::evict_unchanged", CACHE, 0},
    {"L1::evict_first", CACHE, 0},
    {"L1::evict_last", CACHE, 0},
    {"L1::no_allocate", CACHE, 0},
    {"L2::evict_normal", CACHE, 0},
    {"L2::evict_first", CACHE, 0},
    {"L2::evict_last", CACHE, 0},
    {"L2::64B", CACHE, 0},
    {"L2::evict_unchanged", CACHE, 0},
    {"L2::128B", CACHE, 0},
    {"L2::256B", CACHE, 0},
    {"eq", COMPARE, COMPARE_eq},
    {"ne", COMPARE, COMPARE_ne},
    {"lt", COMPARE, COMPARE_lt},
    {"le", COMPARE, COMPARE_le},
    {"gt", COMPARE, COMPARE_gt},
    {"ge", COMPARE, COMPARE_ge},
    {"lo", COMPARE, COMPARE_lt},
    {"ls", COMPARE, COMPARE_le},
    {"hi", COMPARE, COMPARE_gt},
    {"hs", COMPARE, COMPARE_ge},
    {"equ", COMPARE, COMPARE_equ},
    {"neu", COMPARE, COMPARE_neu},
    {"ltu", COMPARE, COMPARE_ltu},
    {"leu", COMPARE, COMPARE_leu},
    {"gtu", COMPARE, COMPARE_gtu},
    {"geu", COMPARE, COMPARE_geu},
    {"num", COMPARE, COMPARE_num},
    {"nan", COMPARE, COMPARE_nan},
    {"and", BOOLEAN, BOOLEAN_AND},
    {"or", BOOLEAN, BOOLEAN_OR},
    {"xor", BOOLEAN, BOOLEAN_XOR},
    {"uni", UNIFORM, 1},
    {"aligned", ALIGNED, 0},
    {"cta", CTA, 0},
    {"m8n8", MATRIX, 0},
    {"m8n8k4", MATRIX, 0},
    {"m8n8k16", MATRIX, 0},
    {"m8n8k32", MATRIX, 0},
    {"m8n8k128", MATRIX, 0},
    {"m8n32k16", MATRIX, 0},
    {"m16n8k4", MATRIX, 0},
    {"m16n8k8", MATRIX, 0},
    {"m16n8k16", MATRIX, 0},
    {"m16n8k32", MATRIX, 0},
    {"m16n8k64", MATRIX, 0},
    {"m16n8k128", MATRIX, 0},
    {"m16n8k256", MATRIX, 0},
    {"m16n16k8", MATRIX, 0},
    {"m16n16k16", MATRIX, 0},
    {"m32n8k16", MATRIX, 0},
    {"row", MATRIX, 0},
    {"col", MATRIX, 0},
    {"aligned", MATRIX, 0},
    {"satfinite", MATRIX, 0},
    {"sp", MATRIX, 0},
    {"sp::ordered_metadata", MATRIX, 0},
    {"relu", EXTRA, EXTRA_RELU},
    {"NaN", EXTRA, EXTRA_NAN},
    {"xorsign", EXTRA, EXTRA_XORSIGN_ABS},
    {"abs", EXTRA, EXTRA_XORSIGN_ABS},
    {"satfinite", EXTRA, EXTRA_SATFINITE},
    {"L2::cache_hint", POLICY, EXTRA_CACHE_POLICY},
    {"add", VIDEO, VIDEO_ADD},
    {"min", VIDEO, VIDEO_MIN},
    {"max", VIDEO, VIDEO_MAX},
    {"shr7", SCALE, 7},
    {"shr15", SCALE, 15},
    {"po", SHIFT, EXTRA_PLUS_ONE},
    {"clamp", SHIFT, EXTRA_CLAMP},
    {"wrap", SHIFT, 0},
};

static bool apply_modifier(struct ptx_span word, unsigned allowed, struct modifiers *modifiers) {
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!(words[i].group & allowed) || !ptx_span_is(word, words[i].word))
            continue;
        uint8_t value = words[i].value;
        switch (words[i].group) {
        case ROUNDING:
            modifiers->integral = value >= 16;
            modifiers->rounding = value & 15;
            break;
        case FTZ:
            modifiers->ftz = true;
            break;
        case SAT:
            modifiers->sat = true;
            break;
        case APPROX:
            modifiers->approx = true;
            break;
        case SPACE:
            modifiers->space = value;
            break;
        case ORDER:
            modifiers->order = value;
            break;
        case SCOPE:
            modifiers->scope = value;
            break;
        case VECTOR:
            modifiers->vector = value;
            break;
        case COMPARE:
            modifiers->compare = value;
            break;
        case BOOLEAN:
            modifiers->boolean = value;
            break;
        case EXTRA:
        case CACHE:
        case POLICY:
        case SHIFT:
            modifiers->extra |= value;
            break;
        case VIDEO:
            modifiers->secondary = value;
            break;
        case SCALE:
            modifiers->scale = value;
            break;
        case UNIFORM:
            modifiers->uniform = true;
            break;
        default:
            break;
        }
        return true;
    }
    return false;
}

static const char *const matrix_types[] = {
#define MATRIX_TYPE(name, bits) #name,
    MATRIX_TYPES(MATRIX_TYPE)
#undef MATRIX_TYPE
};

static void read_matrix_word(struct ptx_span span, struct matrix_words *said) {
    char word[32];
    unsigned m, n, k;
    snprintf(word, sizeof word, "%.*s", (int)span.length, span.start);
    if (sscanf(word, "m%un%uk%u", &m, &n, &k) == 3 && m <= 64 && n <= 64 && k <= 256) {
        said->m = (uint16_t)m;
        said->n = (uint16_t)n;
        said->k = (uint16_t)k;
    } else if (strcmp(word, "row") == 0 || strcmp(word, "col") == 0) {
        if (said->layouts < 2)
            said->column[said->layouts++] = word[0] == 'c';
    } else if (word[0] == 'x' && word[1] >= '1' && word[1] <= '4' && !word[2]) {
        said->register_count = (uint8_t)(word[1] - '0');
    } else if (word[0] && !word[1]) {
        said->operand = word[0];
    }
    said->saturate |= strcmp(word, "satfinite") == 0;
    said->exclusive_or |= strcmp(word, "xor") == 0;
    said->transpose |= strcmp(word, "trans") == 0;
    said->sparse |= strcmp(word, "sp") == 0 || strcmp(word, "sp::ordered_metadata") == 0;
    for (unsigned i = 0; i < MATRIX_TYPE_COUNT; i++)
        if (strcmp(word, matrix_types[i]) == 0 && said->type_count < 4)
            said->types[said->type_count++] = (uint8_t)i;
}

/* ---- rows of instruction_cost.def --------------------------------------------------------------
 */

static const char *const cost_words[] = {
#define INSTRUCTION_COST(words, pipe, issue, passes, special, alu, fp64, extra) words,
#include "sandbox/simgpu/program/instruction_cost.def"
#undef INSTRUCTION_COST
};

/* Is this one of the words of the mnemonic, after its first dot? */
static bool has_word(struct ptx_span mnemonic, const char *word, size_t length) {
    const char *end = mnemonic.start + mnemonic.length;
    const char *at = memchr(mnemonic.start, '.', mnemonic.length);
    while (at) {
        at++;
        const char *dot = memchr(at, '.', (size_t)(end - at));
        if ((size_t)((dot ? dot : end) - at) == length && memcmp(at, word, length) == 0)
            return true;
        at = dot;
    }
    return false;
}

/* "ld.shared": the mnemonic's first word is `ld`, and `shared` is one of the others. */
static bool words_match(const char *row, struct ptx_span mnemonic) {
    size_t base = strcspn(row, ".");
    if (mnemonic.length < base || memcmp(mnemonic.start, row, base) != 0 ||
        (mnemonic.length > base && mnemonic.start[base] != '.'))
        return false;
    for (const char *at = row + base; *at;) {
        at++;
        size_t length = strcspn(at, ".");
        if (!has_word(mnemonic, at, length))
            return false;
        at += length;
    }
    return true;
}

static uint16_t find_cost_row(struct ptx_span mnemonic) {
    for (size_t i = 0; i < sizeof cost_words / sizeof cost_words[0]; i++)
        if (words_match(cost_words[i], mnemonic))
            return (uint16_t)(i + 1);
    return COST_ROW_NONE;
}

/* ---- rows of isa.def ------------------------------------------------------------------------- */

uint16_t isa_row_of(enum isa_op op) {
    for (size_t i = 0; i < isa_form_count; i++)
        if (isa_forms[i].op == op)
            return (uint16_t)i;
    return FORM_NONE;
}

static uint16_t find_key(const char *key) {
    for (size_t i = 0; i < isa_form_count; i++)
        if (strcmp(isa_forms[i].key, key) == 0)
            return (uint16_t)i;
    return FORM_NONE;
}

/* "atom.f32.add" is "atom.add.f32". */
static uint16_t find_swapped(const char *key) {
    const char *first = strchr(key, '.'), *second = first ? strchr(first + 1, '.') : NULL;
    char swapped[72];
    if (!second || (strncmp(key, "atom.", 5) != 0 && strncmp(key, "red.", 4) != 0))
        return FORM_NONE;
    snprintf(swapped, sizeof swapped, "%.*s%s%.*s", (int)(first - key), key, second,
             (int)(second - first), first);
    return find_key(swapped);
}

static bool find_family(struct ptx_span base, unsigned *allowed) {
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (ptx_span_is(base, families[i].base)) {
            *allowed = families[i].allowed;
            return true;
        }
    return false;
}

static uint16_t find_row(struct ptx_span mnemonic, struct decoded_form *form) {
    char key[64], base[16] = "";
    size_t used = 0, words_kept = 0;
    unsigned allowed = 0;
    if (mnemonic.length == 0)
        return FORM_NONE; /* the return after a body that runs off its end has no name */
    const char *end = mnemonic.start + mnemonic.length;
    for (const char *at = mnemonic.start; at < end;) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        struct ptx_span word = {at, (uint32_t)((dot ? dot : end) - at)};
        at = dot ? dot + 1 : end;
        if (used == 0 && !find_family(word, &allowed))
            return FORM_NONE;
        if (allowed & MATRIX)
            read_matrix_word(word, &form->modifiers.matrix);
        if (used && (apply_modifier(word, allowed, &form->modifiers) ||
                     (allowed & TEXTURE && texture_read_word(word, &form->modifiers.texture))))
            continue;
        if (used + word.length + 2 > sizeof key)
            return FORM_NONE;
        if (used)
            key[used++] = '.';
        memcpy(key + used, word.start, word.length);
        used += word.length;
        words_kept++;
        if (words_kept == 1 && word.length < sizeof base)
            memcpy(base, word.start, word.length);
        enum ptx_type type = ptx_type_from_span(word);
        if (type != PTX_NO_TYPE && form->type_count < 4)
            form->types[form->type_count++] = type;
    }
    key[used] = '\0';
    uint16_t row = find_key(key);
    if (row == FORM_NONE && words_kept == 3 && form->type_count == 1)
        row = find_swapped(key); /* atom.v2.f32.add stands for atom.add.v2.f32, too */
    if (row == FORM_NONE && words_kept == form->type_count + 1 && form->type_count >= 2 &&
        (form->type_count == 2 || base[0] == 'v'))
        row = find_key(base); /* cvt, set, slct, video: any types */
    return row;
}

void isa_lookup(struct ptx_span mnemonic, struct decoded_form *form) {
    *form = (struct decoded_form){.modifiers.vector = 1};
    form->row = find_row(mnemonic, form);
    form->cost_row = mnemonic.length ? find_cost_row(mnemonic) : COST_ROW_NONE;
}
