/* See grade_driver.h. Pointers are passed without const, because a function may take them so, too;
 * numbers convert to what it takes. */
#include "grader/grade/program/grade_driver.h"

#include "grader/judge/signature.h"
#include "sandbox/base/memory.h"

static void append_argument(const struct exercise *exercise, size_t number, struct text *out) {
    const struct exercise_param *param = &exercise->params[number];
    const char *type = element_infos[param->type].c_name;
    if (exercise_param_is_buffer(param))
        text_printf(
            out,
            "    %s *warpgrade_argument_%zu = static_cast<%s *>(__warpgrade_%s_buffer(%zu));"
            "\n",
            type, number, type, exercise->host_pointers ? "host" : "device", number);
    else
        text_printf(out,
                    "    %s warpgrade_argument_%zu;\n"
                    "    __warpgrade_value(%zu, &warpgrade_argument_%zu, sizeof "
                    "warpgrade_argument_%zu);\n",
                    type, number, number, number, number);
}

static bool has_half(const struct exercise *exercise) {
    for (size_t i = 0; i < exercise->param_count; i++)
        if (exercise->params[i].type == ELEMENT_f16)
            return true;
    return false;
}

char *grade_driver_append(const struct exercise *exercise, const struct grade_source *source) {
    struct text out = {0};
    text_append_bytes(&out, source->text, source->length);
    text_printf(&out, "\n#line 1 \"%s\"\n#undef main\n%s", GRADE_DRIVER_FILE,
                has_half(exercise) ? "#include <cuda_fp16.h>\n" : "");
    text_append(&out, "extern \"C\" void *__warpgrade_device_buffer(unsigned);\n"
                      "extern \"C\" void *__warpgrade_host_buffer(unsigned);\n"
                      "extern \"C\" void __warpgrade_value(unsigned, void *, unsigned long);\n"
                      "extern \"C\" int __warpgrade_returned();\n"
                      "int main() {\n");
    for (size_t i = 0; i < exercise->param_count; i++)
        append_argument(exercise, i, &out);
    text_printf(&out, "    %s(", exercise->kernel);
    for (size_t i = 0; i < exercise->param_count; i++)
        text_printf(&out, "%swarpgrade_argument_%zu", i ? ", " : "", i);
    text_append(&out, ");\n    return __warpgrade_returned();\n}\n");
    return text_steal(&out);
}

void grade_driver_signature(const struct exercise *exercise, struct text *out) {
    text_append(out, "void ");
    signature_text(exercise->kernel, exercise->params, exercise->param_count, out);
}
